import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { HeadWitness, type LogHead } from './head-witness.js';

describe('HeadWitness', () => {
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
  const use = <Result>(action: (witness: HeadWitness) => Result): Result => {
    const witness = HeadWitness.open(path);
    try {
      return action(witness);
    } finally {
      witness.close();
    }
  };
  const damage = (position: number) => {
    const bytes = readFileSync(path);
    const at = bytes.indexOf(position.toString().padStart(20, '0'));
    bytes[at + 30] = (bytes[at + 30] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };

  it('returns null for a new file', () => {
    expect(use((witness) => witness.read())).toBeNull();
  });

  it('returns the last head, across opens, in a file that does not grow', () => {
    for (let position = 1; position <= 5; position += 1) {
      use((witness) => {
        witness.read();
        witness.write(head(position));
      });
      expect(use((witness) => witness.read())).toEqual(head(position));
    }
    expect(statSync(path).size).toBe(8_192);
  });

  it('returns the previous head when the newest slot is damaged, and overwrites that slot next', () => {
    use((witness) => [1, 2, 3].forEach((position) => witness.write(head(position))));
    damage(3);
    use((witness) => {
      expect(witness.read()).toEqual(head(2));
      witness.write(head(4));
    });
    damage(4);
    expect(use((witness) => witness.read())).toEqual(head(2));
  });

  it('returns null when both slots are damaged', () => {
    use((witness) => [1, 2].forEach((position) => witness.write(head(position))));
    damage(1);
    damage(2);
    expect(use((witness) => witness.read())).toBeNull();
  });
});
