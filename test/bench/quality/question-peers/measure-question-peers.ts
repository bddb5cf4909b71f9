import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPeers, type PeerPackage } from '../../peers/packages.js';
import { chunkSet } from '../index-set.js';
import { withChunker } from '../open-set.js';
import { scoreAnswer } from '../question-metric.js';
import type { QuestionSet } from '../question-set.js';
import type { ComparedModel } from './compared-model.js';
import { firstOfFiles } from './first-of-files.js';
import { footnoteQuestionPeer } from './footnote.question-peer.js';
import { lanceQuestionPeer } from './lancedb.question-peer.js';
import { type PeerOutcome, type PeerRow, peerTable } from './peer-table.js';
import type { EmbeddedSet, QuestionPeer } from './question-peer.js';
import { sqliteQuestionPeer } from './sqlite.question-peer.js';
import { textbookQuestionPeer } from './textbook.question-peer.js';

interface Choice {
  readonly peer: QuestionPeer;
  readonly packages: readonly PeerPackage[];
}

const PEERS = {
  bm25: { peer: textbookQuestionPeer, packages: [] },
  sqlite: { peer: sqliteQuestionPeer, packages: ['sqlite-vec'] },
  lancedb: { peer: lanceQuestionPeer, packages: ['@lancedb/lancedb', 'apache-arrow'] },
} as const satisfies Record<string, Choice>;

export type QuestionPeerName = keyof typeof PEERS;
export const QUESTION_PEER_NAMES = Object.keys(PEERS) as readonly QuestionPeerName[];

/** A repository's questions, and another's, which it cannot answer. */
interface AskedSet {
  readonly set: QuestionSet;
  readonly foreign: QuestionSet;
}

export interface PeerRun {
  readonly sets: readonly AskedSet[];
  readonly peers: readonly QuestionPeerName[];
  /**
   * Each one's vectors are searched with by every peer; the first one's whole ranking is what all
   * rows are compared with.
   */
  readonly models: readonly [ComparedModel, ...ComparedModel[]];
  /**
   * Most results of a file that count in an answer of another service; undefined for all of them.
   * Footnote's ranking itself shows two of a file.
   */
  readonly mostPerFile: number | undefined;
  /** File that every question's scores by every way of ranking are also written to. */
  readonly json: string | undefined;
}

/**
 * By the names of the ways of ranking; by question, so that what needs no vectors counts once
 * whatever the models.
 */
type Rows = Map<
  string,
  { readonly outcomes: Map<string, PeerOutcome>; readonly foreign: Map<string, number | undefined> }
>;

interface SetRun extends AskedSet {
  readonly mostPerFile: number | undefined;
  readonly rows: Rows;
}

/**
 * Asks the questions of each repository to Footnote and to what one could use instead, over the
 * same chunks and vectors, and prints one table.
 */
export async function measureQuestionPeers({
  sets,
  peers,
  models,
  mostPerFile,
  json,
}: PeerRun): Promise<void> {
  const choices: readonly Choice[] = [
    { peer: footnoteQuestionPeer, packages: [] },
    ...peers.map((name) => PEERS[name]),
  ];
  await installPeers(
    (line) => {
      console.error(line);
    },
    choices.flatMap(({ packages }) => packages),
  );
  const rows: Rows = new Map();
  const scratch = mkdtempSync(join(tmpdir(), 'footnote-question-peers-'));
  try {
    await withChunker(async (chunker) => {
      for (const { set, foreign } of sets) {
        const { repository, revision } = set;
        const chunks = chunkSet(set, chunker);
        console.log(
          `${repository.padEnd(20)} ${revision.slice(0, 12)} ${String(chunks.length).padStart(6)} chunks`,
        );
        for (const model of models) {
          const embedded = {
            repository,
            revision,
            chunks,
            model,
            vectors: await model.passages(chunks),
          };
          for (const { peer } of choices) {
            await askAll(peer, embedded, mkdtempSync(join(scratch, 'index-')), {
              set,
              foreign,
              mostPerFile,
              rows,
            });
          }
        }
      }
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  report(choices, rows, json);
}

async function askAll(
  peer: QuestionPeer,
  embedded: EmbeddedSet,
  folder: string,
  run: SetRun,
): Promise<void> {
  const { set, foreign, mostPerFile, rows } = run;
  const opened = await peer.open(embedded, folder);
  const ask = async (text: string) =>
    opened.ask({ text, vector: await embedded.model.question(text) });
  const rowOf = (name: string) => {
    let row = rows.get(name);
    if (!row) rows.set(name, (row = { outcomes: new Map(), foreign: new Map() }));
    return row;
  };
  try {
    for (const question of set.questions) {
      for (const [name, { places, isGrouped, topScore }] of await ask(question.question)) {
        const counted = isGrouped ? places : firstOfFiles(places, mostPerFile ?? Infinity);
        rowOf(name).outcomes.set(question.id, {
          id: question.id,
          ...scoreAnswer(counted, question),
          topScore,
        });
      }
    }
    for (const { id, question } of foreign.questions) {
      for (const [name, { topScore }] of await ask(question)) rowOf(name).foreign.set(id, topScore);
    }
  } finally {
    await opened.close();
  }
}

function report(choices: readonly Choice[], rows: Rows, json: string | undefined): void {
  const table = Array.from(rows, ([name, { outcomes, foreign }]): PeerRow => {
    return { name, outcomes: [...outcomes.values()], foreign: [...foreign.values()] };
  });
  console.log();
  for (const { peer } of choices) console.log(`- ${peer.about}`);
  console.log(
    `\n${table[0]?.outcomes.length ?? 0} questions, 95 % intervals\n\n${peerTable(table)}`,
  );
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(table, null, 1)}\n`);
}
