import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { loadConfig } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { SessionKeys } from './session-keys.js';

describe('what sessions are signed with', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const keys = (environment: Record<string, string> = {}) =>
    new SessionKeys(
      loadConfig({ DATA_DIR: join(folder.path, 'data'), ...environment }, folder.path),
    );

  it('is made once in the data folder, for nobody else to read', async () => {
    const [first, twin] = await Promise.all([keys().newest(), keys().newest()]);
    const again = await keys().newest();
    const path = join(folder.path, 'data', 'jwt-secret');
    expect(Buffer.from(again)).toEqual(readFileSync(path));
    expect([first, twin].some((key) => Buffer.from(key).equals(again))).toBe(true);
    expect(again.length).toBeGreaterThanOrEqual(32);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('is what the operator gives, the newest first, and nothing is made then', async () => {
    const [next, old] = ['n'.repeat(32), 'o'.repeat(40)];
    const given = keys({ JWT_SECRET: `${next}, ${old}` });
    expect((await given.all()).map((key) => Buffer.from(key).toString())).toEqual([next, old]);
    expect(Buffer.from(await given.newest()).toString()).toBe(next);
    expect(() => statSync(join(folder.path, 'data'))).toThrow();
    expect(() => keys({ JWT_SECRET: `${next},short` })).toThrow(
      'JWT_SECRET must be secrets of at least 32 characters',
    );
  });

  it('has to be given where several processes believe each other', () => {
    const server = { url: 'x' } as never;
    const engines = {
      eventStore: 'x',
      postgres: server,
      openSearch: server,
      kafka: server,
      s3: server,
    };
    const start = (jwtSecrets: readonly string[], eventStore: string | undefined) =>
      new SessionKeys({
        people: { jwtSecrets, allowRegistration: false },
        engines: { ...engines, eventStore },
        dataDir: folder.path,
      }).onModuleInit();
    expect(() => start([], 'x')).toThrow('JWT_SECRET is unset');
    expect(() => start(['s'.repeat(32)], 'x')).not.toThrow();
    expect(() => start([], undefined)).not.toThrow();
  });
});
