import { readSync } from 'node:fs';

import { BadSectionsError } from './sections.js';

const MOST_BYTES_A_READ = 1 << 30;

/**
 * Fills the bytes from a position of a file, and returns them.
 * @throws BadSectionsError if the file ends before.
 */
export function readFully<Bytes extends Uint8Array>(
  fd: number,
  target: Bytes,
  position: number,
): Bytes {
  let done = 0;
  while (done < target.length) {
    const length = Math.min(target.length - done, MOST_BYTES_A_READ);
    const got = readSync(fd, target, done, length, position + done);
    if (got === 0) throw new BadSectionsError('the file is cut off');
    done += got;
  }
  return target;
}
