import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

import { documentLines, MatchThreads, ReferenceThreads } from '#code-search';
import { POLICY_DEFAULTS } from '#contracts';
import { git, readDocuments } from '#distil';
import { systemClock } from '#platform';
import type { LocalModel } from '#retrieval';
import { CodeReferences, OF_TENANT, type SearchMoment } from '#search';
import type { SearchIndex } from '#search-index';

import { indexSet } from '../index-set.js';
import { withIndex } from '../open-set.js';
import { searchableOf } from '../searchable-of.js';
import {
  placeKey,
  type ScipTruth,
  scipTruth,
  type TruePlace,
  type TrueSymbol,
} from './scip-truth.js';
import { SYMBOL_KINDS, type SymbolKind } from './symbol-kind.js';

/** A repository with a SCIP index of its HEAD. */
export interface ScipAsked {
  readonly repo: string;
  readonly index: string;
  /** Symbols of each kind whose references are compared. */
  readonly limit: number;
  readonly model: LocalModel;
}

/** Sums over the symbols of one kind. */
interface Tally {
  symbols: number;
  truth: number;
  resolved: number;
  resolvedRight: number;
  listed: number;
  listedRight: number;
  /** References at places where the index knows no symbol, such as an unresolved import. */
  unknown: number;
}

const NOTHING: Tally = {
  symbols: 0,
  truth: 0,
  resolved: 0,
  resolvedRight: 0,
  listed: 0,
  listedRight: 0,
  unknown: 0,
};

type Source = ReturnType<typeof searchableOf>;

/**
 * Compares definitions and references without a SCIP index with those of an index. Prints a table.
 */
export async function measureScip({ repo, index: file, limit, model }: ScipAsked): Promise<void> {
  const folder = resolve(repo);
  const revision = git(join(folder, '.git'), 'rev-parse', 'HEAD').trim();
  const documents = readDocuments(join(folder, '.git'), revision);
  await withIndex(async (chunker, index) => {
    const set = { name: folder, revision, documents: () => documents };
    const live = await indexSet(set, chunker, index, model);
    const source = { ...searchableOf(live, Date.now()), versionRef: revision };
    const lines = new Map<string, readonly string[]>();
    for (const { path } of documents) {
      const text = documentLines({ pieces: await index.document(source, path) }).lines;
      lines.set(path, text.slice(0, text.count));
    }
    const truth = await scipTruth(file, (path) => lines.get(path));
    console.log(`${truth.paths.size} files of ${documents.length} are in both`);
    await measureDefinitions(index, source, truth);
    await measureReferences(index, source, { truth, lines, limit });
  });
}

async function measureDefinitions(
  index: SearchIndex,
  source: Source,
  { paths, symbols, defined }: ScipTruth,
): Promise<void> {
  const ours = new Set<string>();
  const wrong = new Map<string, number>();
  const unknown: TruePlace[] = [];
  let right = 0;
  for (const path of paths)
    for (const { place } of (await index.outline(source, path)).definitions) {
      if (!place) continue;
      const key = placeKey({ path, ...place });
      if (ours.has(key)) continue;
      ours.add(key);
      if (defined.has(key)) right += 1;
      else {
        wrong.set(place.kind, (wrong.get(place.kind) ?? 0) + 1);
        unknown.push({ path, ...place });
      }
    }
  console.log(`\ndefinitions: ${ours.size}, precision ${share(right, ours.size)}`);
  const byKind = JSON.stringify(Object.fromEntries(wrong));
  console.log(`  not in the index by kind: ${byKind}`, examples(unknown));
  for (const kind of SYMBOL_KINDS) {
    const all = [...symbols.values()].filter((each) => each.kind === kind);
    const places = all.flatMap(({ definitions }) => definitions);
    const found = places.filter((place) => ours.has(placeKey(place)));
    const missed = places.filter((place) => !ours.has(placeKey(place)));
    console.log(
      `  recall ${kind.padEnd(8)} ${share(found.length, places.length)}`,
      examples(missed),
    );
  }
}

async function measureReferences(
  index: SearchIndex,
  source: Source,
  asked: {
    readonly truth: ScipTruth;
    readonly lines: ReadonlyMap<string, readonly string[]>;
    readonly limit: number;
  },
): Promise<void> {
  const threads = { matches: new MatchThreads(1), references: new ReferenceThreads(1) };
  const none = { of: () => Promise.resolve(undefined), used: [], warnings: [] };
  const searches = {
    momentAfter: (error: unknown): never => {
      throw error;
    },
  };
  const references = new CodeReferences(
    index,
    threads,
    searches,
    { open: () => none },
    systemClock,
  );
  const moment = momentOf(source);
  try {
    console.log(
      '\nreferences: symbols, resolved precision, recall; listed precision, recall; not known',
    );
    for (const kind of SYMBOL_KINDS) {
      const tally: Tally = { ...NOTHING };
      const wrong: string[] = [];
      const missed: string[] = [];
      for (const each of chosen(asked, kind)) {
        const [definition] = each.definitions as [TruePlace];
        const name = nameAt(asked.lines, definition);
        const truth = new Set(
          each.references.filter((at) => nameAt(asked.lines, at) === name).map(placeKey),
        );
        truth.delete(placeKey(definition));
        const found = await allReferences(references, moment, source, definition);
        const others = found.filter((one) => placeKey(one) !== placeKey(definition));
        const inTruth = others.filter((one) => asked.truth.known.has(placeKey(one)));
        tally.unknown += others.length - inTruth.length;
        add(tally, truth, inTruth);
        for (const one of inTruth)
          if (one.precision === 'resolved' && !truth.has(placeKey(one)))
            wrong.push(`${name} ${placeKey(definition)} -> ${placeKey(one)}`);
        const resolved = new Set(
          inTruth.filter((one) => one.precision === 'resolved').map(placeKey),
        );
        for (const place of truth)
          if (!resolved.has(place)) missed.push(`${name} ${placeKey(definition)} <- ${place}`);
      }
      console.log(row(kind, tally));
      if (process.env['SCIP_EXAMPLES']) {
        console.log('   wrong:', sampled(wrong).join('\n          '));
        console.log('   missed:', sampled(missed).join('\n           '));
      }
    }
  } finally {
    await Promise.all([threads.matches.close(), threads.references.close()]);
  }
}

interface FoundReference extends TruePlace {
  readonly precision: string;
}

async function allReferences(
  references: CodeReferences,
  moment: SearchMoment,
  source: Source,
  { path, line, column }: TruePlace,
): Promise<readonly FoundReference[]> {
  const found: FoundReference[] = [];
  const place = { source_id: source.sourceId, path, line, column };
  let cursor: string | undefined;
  do {
    const request = {
      operation: 'references' as const,
      ...place,
      include_stale: true,
      limit: 500,
      timeout_ms: 10_000,
      ...(cursor !== undefined && { cursor }),
    };
    const { answer } = await references.run(request, () => moment);
    found.push(...answer.references);
    cursor = answer.next_cursor;
  } while (cursor !== undefined);
  return found;
}

function add(tally: Tally, truth: ReadonlySet<string>, found: readonly FoundReference[]): void {
  const right = found.filter((one) => truth.has(placeKey(one)));
  tally.symbols += 1;
  tally.truth += truth.size;
  tally.listed += found.length;
  tally.listedRight += right.length;
  tally.resolved += found.filter(({ precision }) => precision === 'resolved').length;
  tally.resolvedRight += right.filter(({ precision }) => precision === 'resolved').length;
}

/** Returns symbols with one definition and a reference, the same ones in each run. */
function chosen(
  { truth, lines, limit }: Parameters<typeof measureReferences>[2],
  kind: SymbolKind,
): readonly TrueSymbol[] {
  const hash = ({ symbol }: TrueSymbol) => createHash('sha256').update(symbol).digest('hex');
  return [...truth.symbols.values()]
    .filter((each) => each.kind === kind && each.definitions.length === 1)
    .filter(({ references }) => references.length > 0)
    .filter(({ definitions: [at] }) => /^[\p{L}_$]/u.test(nameAt(lines, at as TruePlace)))
    .map((each) => ({ each, hash: hash(each) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, limit)
    .map(({ each }) => each);
}

function nameAt(
  lines: ReadonlyMap<string, readonly string[]>,
  { path, line, column }: TruePlace,
): string {
  const text = (lines.get(path)?.[line - 1] ?? '').slice(column - 1, column + 200);
  return /^[\p{L}\p{N}_$]*/u.exec(text)?.[0] ?? '';
}

function momentOf(source: Source): SearchMoment {
  return {
    tenantId: source.tenantId,
    audiences: OF_TENANT,
    policy: POLICY_DEFAULTS,
    policyRevision: null,
    sources: [source],
    lost: [],
    indexedOnly: [],
    liveAt: null,
    linksAt: null,
    now: Date.now(),
  };
}

function row(kind: string, tally: Tally): string {
  const { symbols, truth, resolved, resolvedRight, listed, listedRight, unknown } = tally;
  return [
    kind.padEnd(8),
    String(symbols).padStart(5),
    share(resolvedRight, resolved),
    share(resolvedRight, truth),
    share(listedRight, listed),
    share(listedRight, truth),
    String(unknown),
  ].join('  ');
}

function share(part: number, whole: number): string {
  const text = whole === 0 ? '-' : (part / whole).toFixed(3);
  return `${text} (${part}/${whole})`;
}

function sampled(all: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.floor(all.length / 12));
  return all.filter((_, at) => at % step === 0).slice(0, 14);
}

function examples(places: readonly TruePlace[]): string {
  return process.env['SCIP_EXAMPLES'] ? sampled(places.map(placeKey)).join(' ') : '';
}
