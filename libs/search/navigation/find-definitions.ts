import type { NamePlace } from '#code-search';
import { parentOf } from '#contracts';
import type { DefinitionView, Precision } from '#contracts/http/index';
import { redactUrls } from '#ingest/redact/redact-urls';
import { sortedInSlices, TimeSlices } from '#platform';
import { pathPrior } from '#retrieval';
import {
  type ChunkFilter,
  type IndexedSymbol,
  type SearchIndex,
  SYMBOL_RANKS,
  symbolRanker,
} from '#search-index';

import { citedPath } from '../cited-path.js';
import { throwIfGone } from '../client-gone.js';
import { citedUrl } from '../repository-pages.js';
import type { ScopedSource } from '../search-scope.js';

/** Definitions that one request orders; more leave its answer incomplete. */
const MOST_FOUND = 5_000;

/** A definition in scope. */
export interface FoundDefinition {
  readonly scoped: ScopedSource;
  readonly found: IndexedSymbol;
  readonly match: DefinitionView['match'];
  /** Place of the name, if only an indexer found it. */
  readonly at?: NamePlace;
}

export interface FoundDefinitions {
  readonly definitions: readonly FoundDefinition[];
  /** True if more definitions match than were ordered. */
  readonly isCut: boolean;
}

export interface DefinitionSearch {
  readonly text: string;
  readonly kind: 'exact' | 'any';
  readonly filter: ChunkFilter | undefined;
  /** Aborts when nobody waits for the result any more. */
  readonly gone?: AbortSignal | undefined;
}

/**
 * Returns definitions by closeness of the name, priority of the source, properties last, prior of
 * the path, and place. A definition whose line was cut into several passages counts once.
 */
export async function findDefinitions(
  index: SearchIndex,
  sources: readonly ScopedSource[],
  { text, kind, filter, gone }: DefinitionSearch,
): Promise<FoundDefinitions> {
  const scope = sources.map(({ source }) => source);
  const query = {
    tenants: [...new Set(scope.map(({ tenantId }) => tenantId))],
    scope,
    ...(filter && { filter }),
    limit: MOST_FOUND + 1,
  };
  if (scope.length === 0) return { definitions: [], isCut: false };
  throwIfGone(gone);
  // Equal names first: others could be so many that they take all the places.
  const exact = await index.symbols({ ...query, match: { text, kind: 'exact' } });
  throwIfGone(gone);
  const others = kind === 'exact' ? [] : await index.symbols({ ...query, match: { text, kind } });
  throwIfGone(gone);
  const rank = symbolRanker({ text, kind });
  const order = new Map(sources.map((scoped, at) => [keyOf(scoped.source), { scoped, at }]));
  const distinct = new Map<string, FoundDefinition & { readonly sort: readonly number[] }>();
  const slices = new TimeSlices();
  for (const found of [...exact, ...others]) {
    if (slices.isUsedUp) await slices.pause();
    const match = rank(found.name);
    const place = order.get(keyOf(found.source));
    if (!match || !place) continue;
    distinct.set(placeKey(found), {
      scoped: place.scoped,
      found,
      match,
      sort: [
        SYMBOL_RANKS.indexOf(match),
        -place.scoped.priority,
        found.place?.kind === 'property' ? 1 : 0,
        -pathPrior(found.path),
        place.at,
      ],
    });
  }
  const definitions = await sortedInSlices(
    [...distinct.values()],
    (a, b) =>
      byNumbers(a.sort, b.sort) ||
      (a.found.path === b.found.path ? 0 : a.found.path < b.found.path ? -1 : 1) ||
      (a.found.place?.line ?? a.found.startLine ?? 0) -
        (b.found.place?.line ?? b.found.startLine ?? 0),
    slices,
  );
  return {
    definitions: definitions.slice(0, MOST_FOUND),
    isCut: exact.length > MOST_FOUND || others.length > MOST_FOUND,
  };
}

/** Returns what an answer shows of a definition. */
export function definitionView(
  { scoped: { source, isStale }, found, match, at }: FoundDefinition,
  precision: Precision,
): DefinitionView {
  const { name, symbol, place, startLine, endLine, fragment } = found;
  const path = citedPath(found.path, found.language === 'openapi');
  const line = place?.line ?? startLine;
  const cited = fragment === undefined ? path : `${path}${fragment}`;
  const url = citedUrl(source, {
    path: cited,
    version_ref: source.versionRef,
    ...(line !== undefined && { start_line: line }),
  });
  return {
    name,
    symbol,
    parent: parentOf({ name, symbol }),
    kind: place?.kind ?? null,
    precision,
    match,
    source_id: source.sourceId,
    source_name: source.name,
    path,
    version_ref: source.versionRef,
    language: found.language,
    ...(url !== undefined && { url: redactUrls(url) }),
    is_stale: isStale,
    line: place?.line ?? at?.line ?? null,
    column: place?.column ?? at?.column ?? null,
    start_line: startLine ?? null,
    end_line: endLine ?? null,
  };
}

function keyOf({ tenantId, sourceId }: { readonly tenantId: string; readonly sourceId: string }) {
  return `${tenantId}/${sourceId}`;
}

function placeKey({ source, path, name, symbol, place, startLine }: IndexedSymbol): string {
  const at = [place?.line ?? startLine ?? 0, place?.column ?? 0];
  return JSON.stringify([keyOf(source), path, name, symbol, ...at]);
}

function byNumbers(a: readonly number[], b: readonly number[]): number {
  return (
    a.map((value, at) => value - (b[at] as number)).find((difference) => difference !== 0) ?? 0
  );
}
