import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createLocalEmbedders, type Embedder } from '#models';
import { loadConfig } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { tempDir } from '#test/support/temp-dir';

const WORDS = [
  'erase',
  'delete',
  'member',
  'account',
  'quick',
  'fast',
  'window',
  'garden',
  'ledger',
  'bridge',
  'paint',
];
const MORE = [
  'market',
  'planet',
  'engine',
  'valley',
  'basket',
  'letter',
  'river',
  'mountain',
  'castle',
  'harbour',
];

describe('npm run distil', () => {
  let folder: ReturnType<typeof tempDir>;
  let endpoint: OpenAiEndpoint;
  let repository: TestRepository;
  beforeAll(async () => {
    folder = tempDir();
    endpoint = await OpenAiEndpoint.start();
    const all = [...WORDS, ...MORE];
    const sentence = (at: number): string =>
      all.map((_, nth) => all[(nth * (at + 1)) % all.length]).join(' ');
    const sections = Array.from(
      { length: 12 },
      (_, at) => `# Of the ${all[at]} and more\n\nNow ${sentence(at)}. ${sentence(at + 3)}\n`,
    );
    repository = TestRepository.create(join(folder.path, 'notes'), {
      'notes.md': sections.join('\n'),
    });
  });
  afterAll(async () => {
    await endpoint.close();
    folder.remove();
  });

  interface Ended {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }
  function distil(
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<Ended> {
    const entry = join(process.cwd(), 'dist/apps/standalone/admin/distil.js');
    const env = { PATH: process.env['PATH'], ...environment };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [entry, ...words],
        { env, timeout: 60_000 },
        (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
    });
  }

  it('writes a file that the settings can name, which knows what the teacher knows', async () => {
    const out = join(folder.path, 'ours.bin');
    const small = [
      '--dimensions',
      '16',
      '--passes',
      '3',
      '--licence',
      'LicenseRef-internal',
      '--name',
      'ours',
    ];
    const { code, stdout, stderr } = await distil(
      ['--repo', repository.path, '--out', out, ...small],
      {
        EMBEDDING_MODEL: 'tutor',
        EMBEDDING_DIMENSIONS: '64',
        EMBEDDING_BASE_URL: endpoint.url,
      },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`EMBEDDING_LOCAL_MODEL=${out}`);
    expect(stdout).toMatch(/held-out MRR over \d+ pairs: [\d.]+ before the fit, [\d.]+ after/);
    expect(stdout).toMatch(new RegExp(`\\d+ words, \\d+ pieces, ${statSync(out).size} bytes`));
    expect(statSync(out).mode & 0o777).toBe(0o644);
    const embedder = createLocalEmbedders(
      loadConfig({ EMBEDDING_LOCAL_MODEL: out }, folder.path),
    ).at(-1) as Embedder;
    expect(embedder.id).toMatch(/^ours\+[0-9a-f]{8}$/);
    const [erase, remove, garden] = await Promise.all(
      ['erase', 'delete', 'garden'].map((word) => embedder.embedQuery(word)),
    );
    const dot = (a?: Float32Array, b?: Float32Array): number =>
      [...(a ?? [])].reduce((sum, value, at) => sum + value * (b?.[at] ?? NaN), 0);
    expect(dot(erase, remove)).toBeGreaterThan(dot(erase, garden) + 0.2);
  });

  it('says what is missing, and writes nothing', async () => {
    const out = join(folder.path, 'none.bin');
    const words = ['--repo', repository.path, '--out', out, '--licence', 'MIT'];
    expect(await distil(words, {})).toEqual({
      code: 1,
      stdout: '',
      stderr: 'EMBEDDING_MODEL must be set to the model to distil, at its endpoint\n',
    });
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('none'))).toEqual([]);
  });
});
