import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { analyzeQuery, embedTerms } from '#retrieval';
import { pathPrior } from '#retrieval/ranking/place-priors';
import { memoryKiB } from '#test/support/process-memory';

import { distribution, residentMiB, timed } from '../measure.js';
import type { Figure } from '../report.js';
import type { Corpus } from './corpus.js';
import type { Peer, PeerIndex, PeerQuery } from './peer.js';
import type { KnownItemQuery, QueryKind } from './peer-queries.js';

/** The source that is searched alone, and at last deleted. */
const CHOSEN_SOURCE = 2;
const WARM_UP = 40;
/** A round of searches stops here, and its figure says how many there were. */
const ROUND_LIMIT_MS = 25_000;
const OPEN_TARGET_MS = 500;
/** The size that the target of opening is set for. */
const OPEN_TARGET_CHUNKS = 60_000;

type Tell = (figure: Figure) => void;
interface Outcome {
  readonly kind: QueryKind;
  readonly isFound: boolean;
  /** Some chunk of the answer's file is among the results. */
  readonly isFileFound: boolean;
  /**
   * The answer is no plain source file, by the path alone: what Footnote's ranking holds back on
   * purpose.
   */
  readonly isBeside: boolean;
}

type Ask = KnownItemQuery & { readonly vector: Float32Array };

/**
 * Chunks and vectors in memory until they can be searched; reading them from the corpus is not
 * counted.
 */
export async function measureBuild(index: PeerIndex, corpus: Corpus, tell: Tell): Promise<void> {
  let milliseconds = 0;
  for await (const batch of corpus.batches())
    milliseconds += (await timed(() => index.add(batch))).milliseconds;
  milliseconds += (await timed(() => index.finish())).milliseconds;
  const { chunks } = corpus.summary;
  const perSecond = (chunks / milliseconds) * 1000;
  tell({
    what: 'chunks and vectors in memory → searchable',
    measured: `${perSecond.toFixed(0)} chunks/s (${(milliseconds / 1000).toFixed(1)} s)`,
    raw: { perSecond, milliseconds, chunks },
  });
  const peak = peakMiB();
  tell({
    what: 'most memory while indexing',
    measured: `${peak.toFixed(0)} MiB`,
    raw: { mebibytes: peak },
  });
}

/** Opens an index that another process has written, until it is open and until the first answer. */
export async function measureOpen(
  peer: Peer,
  folder: string,
  corpus: Corpus,
  tell: Tell,
): Promise<PeerIndex> {
  const open = await peer.load();
  const [first] = asks(corpus.queries.slice(-1));
  const started = performance.now();
  const { milliseconds, result: index } = await timed(() => open(folder));
  if (first) await index.search(first);
  const answered = performance.now() - started;
  const isTargeted = peer.name === 'Footnote' && corpus.summary.chunks <= OPEN_TARGET_CHUNKS;
  tell({
    what: 'open in a new process',
    measured: `${milliseconds.toFixed(0)} ms`,
    ...(isTargeted && { target: `≤ ${OPEN_TARGET_MS} ms`, met: milliseconds <= OPEN_TARGET_MS }),
    raw: { milliseconds },
  });
  tell({
    what: 'open in a new process, until the first answer',
    measured: `${answered.toFixed(0)} ms`,
    raw: { milliseconds: answered },
  });
  return index;
}

/** Latency and hits of the queries, memory afterwards, and at last the deletion of a source. */
export async function measureSearches(index: PeerIndex, corpus: Corpus, tell: Tell): Promise<void> {
  const all = asks(corpus.queries);
  const of = (...kinds: QueryKind[]) => all.filter(({ kind }) => kinds.includes(kind));
  const groups = [
    { called: 'names and keywords', queries: of('name', 'keywords') },
    { called: 'sentences', queries: of('sentence', 'question') },
  ];
  for (const { queries } of groups) await round(index, queries.slice(0, WARM_UP), undefined);
  const found: Outcome[] = [];
  for (const { called, queries } of groups) {
    const { times, hits } = await round(index, queries, undefined);
    tell(latency(`search, ${called}`, times));
    found.push(...hits);
  }
  for (const { called, queries } of groups) {
    tell(
      latency(
        `search in one source of six, ${called}`,
        (await round(index, queries, CHOSEN_SOURCE)).times,
      ),
    );
  }
  const among = (kind: QueryKind, isBeside?: boolean) =>
    found.filter(
      (each) => each.kind === kind && (isBeside === undefined || each.isBeside === isBeside),
    );
  tell(
    share(
      'a name that one chunk defines, in source files: that chunk in the first 10',
      among('name', false),
    ),
  );
  tell(share('the same, in tests, examples and documentation', among('name', true)));
  tell(
    share(
      "a sentence of a function's comment, taken out: that function in the first 10",
      among('sentence'),
    ),
  );
  const files = among('sentence').map((each) => ({ ...each, isFound: each.isFileFound }));
  tell(share('the same sentence: some chunk of its file in the first 10', files));
  globalThis.gc?.();
  const resident = residentMiB(process.pid) ?? 0;
  tell({
    what: 'resident memory after the searches',
    measured: `${resident.toFixed(0)} MiB`,
    raw: { mebibytes: resident },
  });
  tell(await removal(index, corpus, all));
}

async function round(index: PeerIndex, queries: readonly Ask[], source: number | undefined) {
  const times: number[] = [];
  const hits: Outcome[] = [];
  const started = performance.now();
  for (const { kind, text, vector, target } of queries) {
    if (performance.now() - started > ROUND_LIMIT_MS) break;
    const query: PeerQuery = { text, vector, ...(source !== undefined && { source }) };
    const { milliseconds, result } = await timed(() => index.search(query));
    if (source !== undefined && result.some((hit) => hit.source !== source))
      throw new Error('The filter does not hold');
    times.push(milliseconds);
    // A chunk that is the same text elsewhere is as right.
    const isFound = result.some(
      ({ chunkId, content }) => chunkId === target.chunkId || content === target.content,
    );
    const isFileFound =
      isFound || result.some(({ chunkId }) => target.fileChunkIds.includes(chunkId));
    hits.push({ kind, isFound, isFileFound, isBeside: pathPrior(target.path) < 1 });
  }
  return { times, hits };
}

async function removal(index: PeerIndex, corpus: Corpus, queries: readonly Ask[]): Promise<Figure> {
  const { milliseconds } = await timed(async () => {
    await index.removeSource(CHOSEN_SOURCE);
    const [query] = queries;
    if (query) await index.search(query);
  });
  for (const query of queries.slice(0, WARM_UP)) {
    if ((await index.search(query)).some(({ source }) => source === CHOSEN_SOURCE))
      throw new Error('Deleted chunks are found');
  }
  return {
    what: 'delete one source of six, until the first answer without it',
    measured: `${milliseconds.toFixed(0)} ms`,
    raw: { milliseconds, chunks: corpus.summary.sources[CHOSEN_SOURCE] ?? 0 },
  };
}

function asks(queries: readonly KnownItemQuery[]): readonly Ask[] {
  return queries.map((query) => {
    const { terms, frequencies } = analyzeQuery(query.text);
    return { ...query, vector: embedTerms(terms, frequencies) };
  });
}

function latency(what: string, times: readonly number[]): Figure {
  const { count, p50, p95, p99 } = distribution(times);
  return {
    what: `${what}: p50 / p95 (how many)`,
    measured: `${p50.toFixed(1)} / ${p95.toFixed(1)} ms (${count})`,
    raw: { count, p50, p95, p99 },
  };
}

function share(what: string, hits: readonly Outcome[]): Figure {
  const found = hits.filter(({ isFound }) => isFound).length;
  return { what, measured: `${found} of ${hits.length}`, raw: { found, of: hits.length } };
}

/** Size of all files of a folder. */
export function sizeOnDisk(folder: string): Figure {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return {
    what: 'on disk, text included',
    measured: `${(bytes / 1024 ** 2).toFixed(0)} MiB`,
    raw: { bytes },
  };
}

function peakMiB(): number {
  return (memoryKiB('VmHWM') ?? 0) / 1024;
}
