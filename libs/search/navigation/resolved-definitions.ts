import type { ReferenceThreads } from '#code-search';
import type { SearchIndex } from '#search-index';

import { findDefinitions, type FoundDefinition } from './find-definitions.js';
import type { PlacedIdentifier } from './identifier-at.js';
import type { RatedDefinition } from './precise/precise-definitions.js';
import { ReferenceSelection, type SelectionRequest } from './reference-selection.js';
import { targetKey } from './reference-targets.js';

/** The definitions of the identifier at a place. */
export interface ResolvedDefinitions {
  /** Undefined if scopes and imports lead to no definition. */
  readonly definitions: readonly RatedDefinition[] | undefined;
  /** Files that were not parsed in time, as source and path. */
  readonly unparsed: readonly string[];
}

/**
 * Leads the identifier at a place to its definitions, by the scopes and imports of its file.
 * @param named definitions with its name that the request asks for.
 */
export async function resolvedDefinitions(
  index: SearchIndex,
  threads: ReferenceThreads,
  placed: PlacedIdentifier,
  named: readonly FoundDefinition[],
  request: Omit<SelectionRequest, 'definitions'>,
): Promise<ResolvedDefinitions> {
  const { name: text, sources, gone } = request;
  const all = { text, kind: 'exact' as const, filter: undefined, gone };
  const { definitions } = await findDefinitions(index, sources, all);
  const selection = new ReferenceSelection(index, threads, {
    ...request,
    definitions: definitions.map(({ found }) => found),
  });
  await selection.want(placed);
  const keys = new Set(selection.wanted?.keys);
  const known = definitions.some(({ found }) => isMeant(found, keys));
  const resolved = named.flatMap((each): RatedDefinition[] =>
    isMeant(each.found, keys) ? [{ ...each, precision: 'resolved' }] : [],
  );
  return { definitions: known ? resolved : undefined, unparsed: [...selection.unread] };
}

function isMeant(
  { source, path, place }: FoundDefinition['found'],
  keys: ReadonlySet<string>,
): boolean {
  return place !== undefined && keys.has(targetKey({ sourceId: source.sourceId, path }, place));
}
