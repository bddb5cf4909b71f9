import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { type ParsedDocument, parseFile } from '#ingest';
import { WORD_HASHING } from '#retrieval';
import { tempDir } from '#test/support/temp-dir';

import type { QuestionSet } from '../question-set.js';
import { comparedLocalModel } from './compared-model.js';
import { measureQuestionPeers } from './measure-question-peers.js';
import type { PeerRow } from './peer-table.js';

const files = {
  'src/lantern-keeper.ts':
    'export function lightEveryLantern(harbour: string) {\n  return harbour.length;\n}\n',
  'src/tide.ts': 'export function readTide(hour: number) {\n  return hour * 2;\n}\n',
  'src/ferry.ts': 'export function boardFerry(seats: number) {\n  return seats - 1;\n}\n',
};

const set = (repository: string, question: string, path: string): QuestionSet => ({
  repository,
  url: '',
  revision: 'a'.repeat(40),
  half: 'checking',
  questions: [
    { id: `${repository}-1`, kind: 'where', question, primary: [{ path }], acceptable: [] },
  ],
  documents: () =>
    Object.entries(files).map(
      ([name, text]) =>
        parseFile({ path: name, kind: 'file', bytes: Buffer.from(text) }) as ParsedDocument,
    ),
});

describe('measureQuestionPeers', () => {
  const scratch = tempDir();
  const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  let rows: readonly PeerRow[] = [];

  beforeAll(async () => {
    const json = join(scratch.path, 'rows.json');
    const model = comparedLocalModel(WORD_HASHING);
    const port = set('port', 'lantern in the harbour', 'src/lantern-keeper.ts');
    const river = set('river', 'when is the tide', 'src/tide.ts');
    await measureQuestionPeers({
      sets: [
        { set: port, foreign: river },
        { set: river, foreign: port },
      ],
      peers: ['bm25'],
      models: [model, { ...model, id: 'other' }],
      mostPerFile: undefined,
      json,
    });
    rows = JSON.parse(readFileSync(json, 'utf8')) as PeerRow[];
  }, 30_000);

  afterAll(() => {
    printed.mockRestore();
    scratch.remove();
  });

  const of = (name: string) => rows.find((row) => row.name === name);

  it('asks every question once by every way of ranking, with the vectors of every model', () => {
    expect(rows.map(({ name }) => name)).toEqual([
      'Footnote, hash-ngram-v1',
      'Footnote without its steps, hash-ngram-v1',
      "BM25 of Footnote's index",
      'hash-ngram-v1, vectors alone',
      'BM25 of a textbook',
      'Footnote, other',
      'Footnote without its steps, other',
      'other, vectors alone',
    ]);
    for (const { outcomes } of rows)
      expect(outcomes.map(({ id }) => id)).toEqual(['port-1', 'river-1']);
  });

  it('finds what is there by parts of a name with its own words, and not with those of a textbook', () => {
    expect(of('Footnote, hash-ngram-v1')?.outcomes.map(({ ndcg }) => ndcg)).toEqual([1, 1]);
    expect(of("BM25 of Footnote's index")?.outcomes.map(({ ndcg }) => ndcg)).toEqual([1, 1]);
    expect(of('other, vectors alone')?.outcomes.map(({ ndcg }) => ndcg)).toEqual([1, 1]);
  });

  it('asks the questions of another repository as foreign ones', () => {
    // Every set here has the same files, so what is foreign to one is as well answered as the
    // other's own.
    const { outcomes = [], foreign = [] } = of('Footnote, hash-ngram-v1') ?? {};
    expect([...foreign].sort()).toEqual(outcomes.map(({ topScore }) => topScore).sort());
    expect(foreign).toHaveLength(2);
  });

  it('prints one table of it', () => {
    const text = printed.mock.calls.map(([line]) => String(line)).join('\n');
    expect(text).toContain('2 questions, 95 % intervals');
    expect(text).toContain('| Footnote, hash-ngram-v1 | 1.000 ± .000 |');
  });
});
