import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { type LogHead, LogHeadAnchor } from './log-head-anchor.js';

describe('LogHeadAnchor', () => {
  let folder: ReturnType<typeof tempDir>;
  let path: string;
  beforeEach(() => {
    folder = tempDir();
    path = join(folder.path, 'head');
  });
  afterEach(() => folder.remove());

  const head = (position: number): LogHead => ({
    position,
    hash: position.toString(16).padStart(64, 'a'),
  });
  const use = <Result>(action: (anchor: LogHeadAnchor) => Result): Result => {
    const anchor = LogHeadAnchor.open(path);
    try {
      return action(anchor);
    } finally {
      anchor.close();
    }
  };
  const damage = (position: number) => {
    const bytes = readFileSync(path);
    const at = bytes.indexOf(position.toString().padStart(20, '0'));
    bytes[at + 30] = (bytes[at + 30] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };

  it('returns null for a new file', () => {
    expect(use((anchor) => anchor.read())).toBeNull();
  });

  it('returns the last head, across opens, in a file that does not grow', () => {
    for (let position = 1; position <= 5; position += 1) {
      use((anchor) => {
        anchor.read();
        anchor.write(head(position));
      });
      expect(use((anchor) => anchor.read())).toEqual(head(position));
    }
    expect(statSync(path).size).toBe(8_192);
  });

  it('returns the previous head when the newest slot is damaged, and overwrites that slot next', () => {
    use((anchor) => [1, 2, 3].forEach((position) => anchor.write(head(position))));
    damage(3);
    use((anchor) => {
      expect(anchor.read()).toEqual(head(2));
      anchor.write(head(4));
    });
    damage(4);
    expect(use((anchor) => anchor.read())).toEqual(head(2));
  });

  it('returns null when both slots are damaged', () => {
    use((anchor) => [1, 2].forEach((position) => anchor.write(head(position))));
    damage(1);
    damage(2);
    expect(use((anchor) => anchor.read())).toBeNull();
  });
});
