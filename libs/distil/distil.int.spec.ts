import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Chunker, createChunker } from '#ingest';
import { decodeModelFile } from '#models';
import { type EmbeddingSettings, loadConfig, silentLogger, systemClock } from '#platform';
import { analyze, TermVectors } from '#retrieval';
import { TestRepository } from '#test/support/git-repository';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { tempDir } from '#test/support/temp-dir';

import { distil, type Distilled } from './distil.js';
import { DISTIL_DEFAULTS, type DistilSettings } from './distil-settings.js';
import { openTeacher } from './teacher/teacher.js';
import { openRepositories, type Repository } from './texts/read-repositories.js';

const GRAMMARS = fileURLToPath(new URL('../../grammars', import.meta.url));
const SECRET = `ghp_${'q7Rw2Xz9Lk4Tb8Vn3Mc6Hd1Js5Pf0Gy2Ae4u'}`;

/**
 * Topics of texts, and the word that code has for each; the tests' model does not know them as
 * synonyms.
 */
const TOPICS = [
  ['purge', 'wipe'],
  ['paint', 'render'],
  ['weigh', 'measure'],
  ['greet', 'welcome'],
  ['gather', 'collect'],
  ['split', 'divide'],
] as const;
const THINGS = [
  'ledger',
  'basket',
  'window',
  'letter',
  'market',
  'garden',
  'bridge',
  'engine',
  'planet',
  'valley',
];
const NEAR = 'Delete the stale account and erase the stale member.';

function filesOf(suffix: string): Record<string, string> {
  const files: Record<string, string> = {
    'docs/guide.md': THINGS.map(
      (thing) => `# About the ${thing}\n\n${NEAR} ${`The ${thing} holds. `.repeat(12)}\n`,
    ).join('\n'),
    'vendor/other.ts': 'export function vendored(): void {}\n'.repeat(8),
    '.env': 'TOKEN=abc\n',
  };
  for (const [said, done] of TOPICS) {
    for (const thing of THINGS) {
      files[`src/${done}/${thing}${suffix}.ts`] =
        `/** Please ${said} what remains of every ${thing} today. */\n` +
        `export function ${done}_${thing}(${thing}: string): string {\n` +
        `  const ${done} = prepare(${thing}, store);\n  return ${done}.trim();\n}\n`;
    }
  }
  return files;
}

describe('distilling a model', () => {
  let folder: ReturnType<typeof tempDir>;
  let chunker: Chunker;
  let repositories: Repository[];
  beforeAll(async () => {
    folder = tempDir();
    chunker = await createChunker({ grammarsDirectory: GRAMMARS });
    const folders = ['one', 'two'].map((name) => {
      const repository = TestRepository.create(join(folder.path, name), filesOf(name));
      const body = `token = '${SECRET}'\n${'const wipe = prepare(ledger, store)\n'.repeat(4)}`;
      repository.commit(
        { [`src/nightly${name}.ts`]: `// ${body.replaceAll('\n', '\n// ')}` },
        `Please purge what remains with ${SECRET}`,
      );
      return repository.path;
    });
    repositories = openRepositories(folders);
  });
  afterAll(() => {
    chunker.close();
    folder.remove();
  });

  interface Run {
    readonly endpoint?: Parameters<typeof OpenAiEndpoint.start>[0];
    readonly settings?: Partial<DistilSettings>;
    readonly passes?: number;
    readonly of?: readonly Repository[];
    readonly cache?: string;
    readonly script?: (endpoint: OpenAiEndpoint) => void;
  }
  let caches = 0;

  /** Distills small vectors from the answers of the scripted endpoint. */
  async function run({ endpoint: options = {}, passes = 30, ...how }: Run = {}) {
    const endpoint = await OpenAiEndpoint.start(options);
    how.script?.(endpoint);
    const environment = {
      EMBEDDING_MODEL: 'tutor',
      EMBEDDING_DIMENSIONS: '64',
      EMBEDDING_BASE_URL: endpoint.url,
    };
    const { embedding } = loadConfig({ ...environment, EMBEDDING_QUERY_PREFIX: 'ask: ' }, '/');
    const teacher = await openTeacher({
      settings: embedding as EmbeddingSettings,
      clock: systemClock,
      logger: silentLogger,
      cacheFolder: join(folder.path, how.cache ?? `cache-${(caches += 1)}`),
      backoffMs: 1,
    });
    const reported: string[] = [];
    try {
      const settings: DistilSettings = {
        ...DISTIL_DEFAULTS,
        licence: 'Apache-2.0',
        dimensions: 32,
        hashedDimensions: 0,
        share: 1,
        ...how.settings,
        fit: { ...DISTIL_DEFAULTS.fit, passes, batch: 32, learningRate: 0.01 },
      };
      const dependencies = {
        chunker,
        teacher,
        tell: (line: string) => void reported.push(line),
        now: () => 0,
      };
      return {
        distilled: await distil(how.of ?? repositories, settings, dependencies),
        sent: endpoint.embedded,
        reported,
      };
    } finally {
      teacher.close();
      await endpoint.close();
    }
  }

  function cosine({ bytes }: Distilled, one: string, other: string): number {
    const { header, tables } = decodeModelFile(bytes);
    const vectors = new TermVectors(tables);
    const [a, b] = [one, other].map((term) => {
      const vector = new Float32Array(header.dimensions);
      vectors.sumInto(vector, analyze(term), [1]);
      return vector;
    }) as [Float32Array, Float32Array];
    const dot = a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
    return dot / Math.hypot(...a) / Math.hypot(...b);
  }

  it("creates a file of the teacher's knowledge, and moves synonyms together", async () => {
    const start = await run({ passes: 0, cache: 'shared' });
    const fitted = await run({ cache: 'shared' });
    expect(cosine(start.distilled, 'erase', 'delete')).toBeGreaterThan(0.9);
    expect(cosine(start.distilled, 'erase', 'stale')).toBeLessThan(0.6);
    const nearer = TOPICS.map(
      ([said, done]) => cosine(fitted.distilled, said, done) - cosine(start.distilled, said, done),
    );
    expect(Math.min(...nearer)).toBeGreaterThan(0.1);
    expect(fitted.distilled.heldOut.after).toBeGreaterThan(fitted.distilled.heldOut.before);
    expect(fitted.distilled.heldOut.before).toBe(start.distilled.heldOut.after);

    const { header, tables } = decodeModelFile(fitted.distilled.bytes);
    expect(header).toMatchObject({
      id: 'distilled',
      licence: 'Apache-2.0',
      teacher: 'tutor',
      dimensions: 32,
      repositories: repositories.map(({ name, revision }) => ({ name, revision })),
      counts: { words: fitted.distilled.words, pieces: fitted.distilled.pieces },
    });
    const vectors = new TermVectors(tables);
    expect(['vendored', 'windowpane', 'window'].map((term) => vectors.has(term))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('sends the teacher words as they are written, questions and passages, and no secret', async () => {
    const { sent } = await run({ passes: 1 });
    expect(sent).toEqual(expect.arrayContaining(['ask: delete', 'ask: measure', 'ask: prepare']));
    expect(sent).toContain('ask: Please purge what remains of every ledger today.');
    expect(sent).toContain('ask: Please purge what remains with [redacted:github_token]');
    const passage = sent.find((text) => text.startsWith('src/wipe/ledgerone.ts\n'));
    expect(passage).toContain('\n\nexport function wipe_ledger');
    expect(passage).not.toContain('Please');
    expect(sent.filter((text) => text.includes(SECRET) || text.includes('vendored'))).toEqual([]);
    expect(Math.max(...sent.map(({ length }) => length))).toBeLessThan(700);
  });

  it('returns the same bytes for the same input, and continues after an interruption', async () => {
    const whole = await run({ passes: 2 });
    const broken = run({
      passes: 2,
      cache: 'broken',
      script: (endpoint) => {
        endpoint.when = () =>
          endpoint.embedded.length > 100 ? { kind: 'status', status: 401 } : undefined;
      },
    });
    await expect(broken).rejects.toMatchObject({ statusCode: 401 });
    const rest = await run({ passes: 2, cache: 'broken' });
    expect(rest.sent.length).toBeLessThan(whole.sent.length - 100 + 1);
    expect(rest.sent.length).toBeGreaterThan(0);
    const again = await run({ passes: 2, cache: 'broken' });
    expect(again.sent).toEqual([]);
    for (const { distilled } of [rest, again])
      expect(Buffer.compare(distilled.bytes, whole.distilled.bytes)).toBe(0);
  });

  it('reports its progress', async () => {
    const { reported } = await run({ passes: 1 });
    expect(reported[0]).toMatch(
      /^one: \d+ documents, \d+ chunks; pairs: comment 60, heading \d+, sentence \d+, commit 1$/,
    );
    expect(
      reported.some((line) => /^the teacher embedded (\d+) of \1 words, 0 s$/.test(line)),
    ).toBe(true);
    expect(reported.at(-1)).toMatch(
      /^step (\d+) of \1: loss [\d.]+, distance to the teacher [\d.]+, held-out MRR [\d.]+, 0 s$/,
    );
  });

  it.each([
    [{ dimensions: 80 }, '--dimensions must be at most 64, the dimensions of the teacher (got 80)'],
    [{ name: 'Our model' }, 'The file has a header whose id no model can have'],
    [
      { maxBytes: 900 },
      'more than --max-bytes 900; increase it, or decrease --words, --pieces or --dimensions',
    ],
    [{ words: 20 }, 'have 20 frequent words, which is too few for 32 dimensions'],
  ])('rejects %j before the teacher is asked', async (settings, sentence) => {
    const asked: string[] = [];
    const script = (endpoint: OpenAiEndpoint): void => {
      endpoint.when = (input) => (asked.push(...input), undefined);
    };
    await expect(run({ settings, script })).rejects.toThrow(sentence);
    expect(asked).toEqual([]);
  });

  it('reports repositories without anything to distill', async () => {
    const empty = TestRepository.create(join(folder.path, 'empty'), { 'a.txt': 'Nothing to see.' });
    await expect(run({ of: openRepositories([empty.path]) })).rejects.toThrow(
      'The repositories have 1 texts and no word that 6 of them share; add repositories',
    );
    expect(() => openRepositories([folder.path])).toThrow(
      `${folder.path} is not a git repository with a commit`,
    );
  });

  it('reports vectors of another width from the endpoint', async () => {
    await expect(run({ endpoint: { dimensions: 48 } })).rejects.toThrow(
      'returned vectors of 48 dimensions, but 64 are configured',
    );
  });
});
