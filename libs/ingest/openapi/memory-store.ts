import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceScratchFile } from '#platform';

const NAME = 'specification.memory';

/**
 * Results of the last reading of a specification, in the scratch folder of its source. Losing them
 * costs one whole reading.
 */
export class MemoryStore {
  constructor(private readonly directory: string) {}

  async read(): Promise<Uint8Array | undefined> {
    return readFile(join(this.directory, NAME)).catch(() => undefined);
  }

  async write(memory: Uint8Array): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    await replaceScratchFile(join(this.directory, NAME), memory);
  }
}
