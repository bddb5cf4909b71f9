import type { ChunkDefinition } from '#contracts';

import { analyze } from '../analysis/analyze.js';
import type { AnalyzedQuery } from '../analysis/analyze-query.js';

/** Definitions of a chunk. */
export interface DefiningChunk {
  readonly symbol: string | undefined;
  readonly definitions: readonly ChunkDefinition[];
}

/**
 * Returns the definition of a chunk that a query asks for; undefined where it asks for none of
 * them. The first name in the query that the chunk defines decides. Of several definitions of that
 * name, it is the one whose symbol continues the query's (`Circle.area` of `Square.area` and
 * `Circle.area`). Without such a name, it is the definition whose name has most of the query's
 * terms. That one must have more than the chunk's own symbol.
 */
export function askedDefinition(
  query: AnalyzedQuery,
  chunk: DefiningChunk,
): ChunkDefinition | undefined {
  for (const name of query.identifiers) {
    if (!chunk.definitions.some((definition) => definition.name === name)) continue;
    const named = chunk.definitions.filter((definition) => definition.name === name);
    return bestQualified(named, query);
  }
  return byWords(query, chunk);
}

/** Returns the first definition whose symbol shares most of its last parts with the query. */
function bestQualified(
  named: readonly ChunkDefinition[],
  { text }: AnalyzedQuery,
): ChunkDefinition | undefined {
  const asked = partsOf(text.trim().replace(/\(\)$/, ''));
  return best(named, ({ symbol }) => {
    const parts = partsOf(symbol);
    const differs = parts
      .toReversed()
      .findIndex((part, at) => part !== asked[asked.length - 1 - at]);
    return differs === -1 ? parts.length : differs;
  });
}

function byWords(
  { terms }: AnalyzedQuery,
  { symbol, definitions }: DefiningChunk,
): ChunkDefinition | undefined {
  let found: ChunkDefinition | undefined;
  let most = 0;
  let ofOwn = -1;
  for (const definition of definitions) {
    const count = countIn(definition.name, terms);
    if (ofOwn === -1 && definition.symbol === symbol) ofOwn = count;
    if (count <= most) continue;
    most = count;
    found = definition;
  }
  return most > ofOwn ? found : undefined;
}

/** Returns how many of some terms a name has. */
function countIn(name: string, terms: readonly string[]): number {
  const ofName = analyze(name);
  let count = 0;
  for (const [at, term] of ofName.entries())
    if (terms.includes(term) && ofName.indexOf(term) === at) count += 1;
  return count;
}

/** Returns the first of the definitions with the highest value. */
function best(
  definitions: readonly ChunkDefinition[],
  valueOf: (definition: ChunkDefinition) => number,
): ChunkDefinition | undefined {
  const highest = Math.max(...definitions.map(valueOf));
  return definitions.find((definition) => valueOf(definition) === highest);
}

function partsOf(name: string): string[] {
  return name.split(/::|\\|->|\.|#/);
}
