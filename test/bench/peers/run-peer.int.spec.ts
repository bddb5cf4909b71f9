import { mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { TestRepository } from '#test/support/git-repository';
import { tempDir } from '#test/support/temp-dir';

import { writeCorpus } from './corpus.js';
import { footnotePeer } from './footnote.peer.js';
import { runPeer } from './run-peer.js';

const FILES = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => [
    `src/part${at}.ts`,
    `/** Counts the lanterns of harbour number ${at}. */\nexport function countLanterns${at}(harbour: string) {\n  return harbour.length + ${at};\n}\n`,
  ]),
);

describe('runPeer', () => {
  const scratch = tempDir();
  const corpus = join(scratch.path, 'corpus');
  const attempt = (name: string) => {
    const folder = join(scratch.path, name);
    mkdirSync(folder);
    return folder;
  };

  beforeAll(async () => {
    mkdirSync(corpus);
    const { path } = TestRepository.create(join(scratch.path, 'repository'), FILES);
    expect((await writeCorpus([path], corpus)).chunks).toBe(24);
  });

  afterAll(() => {
    scratch.remove();
  });

  it('measures the embedded engine from the first chunk to the last deletion', async () => {
    const figures = await runPeer(footnotePeer, corpus, attempt('whole'));
    const of = (what: string) => figures.find((figure) => figure.what.startsWith(what));
    expect(of('ran to the end')?.measured).toBe('yes');
    expect(of('a name that one chunk defines')?.raw).toEqual({ found: 24, of: 24 });
    expect(of("a sentence of a function's comment")?.raw).toMatchObject({ of: 24 });
    expect(of('delete one source')?.raw).toMatchObject({ chunks: 4 });
    expect(new Set(figures.map(({ subject }) => subject))).toEqual(new Set(['Footnote']));
  });

  it('says that time ran out', async () => {
    const [ended] = (await runPeer(footnotePeer, corpus, attempt('late'), 1)).slice(-1);
    expect(ended?.measured).toBe('**no**: stopped after 0.001 s of indexing');
  });

  it('says why a peer failed', async () => {
    truncateSync(join(corpus, 'vectors.f32'), 2_048);
    const [ended] = (await runPeer(footnotePeer, corpus, attempt('cut'))).slice(-1);
    expect(ended?.measured).toBe('**no**: indexing failed: Vectors are cut off');
  });
});
