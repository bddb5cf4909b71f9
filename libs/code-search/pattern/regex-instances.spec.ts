import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';

import { RegexInstances } from './regex-instances.js';

const MIB = 1024 ** 2;
const source = (at: number): string => `name${at}<\\w+, \\w+>`;

async function externalBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    collect();
    await setImmediate();
  }
  return process.memoryUsage().external;
}

describe('RegexInstances', () => {
  it('give the memory of released expressions back', async () => {
    const instances = new RegexInstances();
    const first = instances.compile('ab+');
    const before = await externalBytes();
    let most = 0;
    for (let at = 0; at < 300; at += 1) {
      instances.compile(source(at)).free();
      most = Math.max(most, instances.bytes);
    }
    expect(most).toBeGreaterThan(8 * MIB);
    expect(most).toBeLessThan(12 * MIB);
    // Without instances, 300 such expressions take 200 MiB.
    expect((await externalBytes()) - before).toBeLessThan(80 * MIB);
    expect(first.find('abb')).toEqual([[0, 3]]);
  });

  it('keep expressions of a full instance usable', () => {
    const instances = new RegexInstances();
    const kept = Array.from({ length: 60 }, (_, at) => instances.compile(source(at)));
    for (const [at, regex] of kept.entries()) {
      expect(regex.find(`name${at}<a, b>`)).toHaveLength(1);
      expect(regex.find(`name${at}<a>`)).toEqual([]);
    }
  });
});
