import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ConfigError, loadConfig, silentLogger, systemClock } from '#platform';
import { ANALYZER_ID, embedTerms, TERM_VECTORS } from '#retrieval';
import { tempDir } from '#test/support/temp-dir';
import { termModelFile } from '#test/support/term-model';

import { createEmbedder, createLocalEmbedders } from '../create-embedder.js';
import { BUILT_IN_MODEL_IDS, findLocalModel, localModel } from './local-models.js';
import { decodeModelFile } from './model-file.js';

const TEXTS = ['erase the member', 'erase the account', 'paint the wall', 'paint the room'];
const SHIPPED = new URL('../data/meaning-v1.bin', import.meta.url);
const MAX_SHIPPED_BYTES = 15 * 1024 ** 2;

describe('local models', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeAll(() => {
    folder = tempDir();
  });
  afterAll(() => folder.remove());

  const fileOf = (name: string, bytes: Uint8Array): string => {
    const path = join(folder.path, name);
    writeFileSync(path, bytes);
    return path;
  };
  const configured = (named: string) => loadConfig({ EMBEDDING_LOCAL_MODEL: named }, folder.path);
  const embedder = (named: string) =>
    createEmbedder({ config: configured(named), clock: systemClock, logger: silentLogger });

  it('that are built in: meaning-v1 by default, and hash-ngram-v1 unchanged', async () => {
    expect(BUILT_IN_MODEL_IDS).toEqual([loadConfig({}, folder.path).localModel, 'hash-ngram-v1']);
    const hashing = localModel({ id: 'hash-ngram-v1' });
    expect(hashing.embed(['parse', 'tree'], [2, 1])).toEqual(embedTerms(['parse', 'tree'], [2, 1]));
    const meaning = localModel({ id: 'meaning-v1' });
    const vector = meaning.embed(['search', 'unheard'], [1, 1]);
    expect(vector).toHaveLength(meaning.dimensions);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(localModel({ id: 'meaning-v1' })).toBe(meaning);
  });

  it('the shipped one names its origin and license, and has less than 15 MB', () => {
    const { header } = decodeModelFile(readFileSync(SHIPPED));
    expect(header).toMatchObject({
      id: 'meaning-v1',
      analyzer: ANALYZER_ID,
      origin: expect.stringMatching(/\w+ \w+/),
    });
    expect(statSync(SHIPPED).size).toBeLessThanOrEqual(MAX_SHIPPED_BYTES);
  });

  it("of a team's own are named by their file, and identified by its content", async () => {
    const path = fileOf('own.bin', termModelFile(TEXTS));
    const own = await embedder(path);
    expect(own).toMatchObject({ dimensions: 128, local: true, file: path, profile: TERM_VECTORS });
    expect(own.id).toMatch(/^words-of-tests\+[0-9a-f]{8}$/);
    expect(Math.hypot(...(await own.embedQuery('erase it')))).toBeCloseTo(1, 5);
    const other = fileOf('other.bin', termModelFile(TEXTS.slice(0, 2)));
    expect((await embedder(other)).id).not.toBe(own.id);
    expect((await embedder(fileOf('same.bin', readFileSync(path)))).id).toBe(own.id);
  });

  it('may define how their cosines are ranked', async () => {
    const ranking = {
      ...TERM_VECTORS,
      weights: { lexical: 0.25, semantic: 0.75 },
      similarityFloor: 0.4,
    };
    const path = fileOf('ranked.bin', termModelFile(TEXTS, { ranking }));
    expect((await embedder(path)).profile).toEqual(ranking);
  });

  it('are rejected by a thread after their file was rewritten', async () => {
    const path = fileOf('changing.bin', termModelFile(TEXTS));
    const { id } = findLocalModel(path) ?? { id: '' };
    expect(localModel({ id, file: path }).id).toBe(id);
    writeFileSync(path, termModelFile(TEXTS.slice(1)));
    // This thread has read it; another one would read the current content.
    expect(localModel({ id, file: path }).id).toBe(id);
    expect(() => localModel({ id: `${id.slice(0, -1)}-`, file: path })).toThrow(
      /is no longer the model words-of-tests\+/,
    );
  });

  it('of a configuration can all embed queries, whatever embeds passages', async () => {
    const path = fileOf('beside.bin', termModelFile(TEXTS));
    const own = await embedder(path);
    expect(createLocalEmbedders(configured(path)).map(({ id }) => id)).toEqual([
      ...BUILT_IN_MODEL_IDS,
      own.id,
    ]);
  });

  it.each([
    [
      'word2vec',
      'must be meaning-v1, hash-ngram-v1 or the absolute path of a model file (got "word2vec")',
    ],
    [
      'models/own.bin',
      'must be meaning-v1, hash-ngram-v1 or the absolute path of a model file (got "models/own.bin")',
    ],
    ['/nowhere/own.bin', 'cannot be used: /nowhere/own.bin cannot be read: ENOENT'],
  ])('end the start at EMBEDDING_LOCAL_MODEL=%s with one sentence', async (named, sentence) => {
    await expect(embedder(named)).rejects.toThrow(
      new ConfigError(`EMBEDDING_LOCAL_MODEL ${sentence}`),
    );
  });

  it('end the start also with an endpoint, since their content is searched with them', async () => {
    const environment = {
      EMBEDDING_MODEL: 'text-embedding-3-small',
      EMBEDDING_LOCAL_MODEL: '/nowhere/own.bin',
    };
    const config = loadConfig(environment, folder.path);
    await expect(
      createEmbedder({ config, clock: systemClock, logger: silentLogger }),
    ).rejects.toThrow('/nowhere/own.bin cannot be read: ENOENT');
  });

  it('end the start if their file is damaged, a folder, or not a model', async () => {
    const whole = termModelFile(TEXTS);
    const damaged = whole.slice();
    damaged[whole.length - 1] = (damaged[whole.length - 1] as number) ^ 1;
    await expect(embedder(fileOf('damaged.bin', damaged))).rejects.toThrow(
      /^EMBEDDING_LOCAL_MODEL cannot be used: \/.*damaged\.bin is damaged: rows is not what was written$/,
    );
    await expect(
      embedder(fileOf('notes.md', Buffer.from('# Notes that are no model at all'))),
    ).rejects.toThrow(/notes\.md is not a model file: it does not begin as one$/);
    await expect(embedder(folder.path)).rejects.toThrow(/cannot be read: EISDIR$/);
  });
});
