import { TimeSlices } from '#platform';

import { compileChunkFilter, type FilteredChunk } from '../chunk-filter.js';
import { isDropped } from '../pack/dropped-bitmap.js';
import type { PackTables } from '../pack/pack-tables.js';
import type { IndexedSymbol, SymbolQuery } from '../search-index.port.js';
import { symbolRanker } from '../symbol-match.js';
import { inSymbolOrder, type OrderedSymbol, symbolsOf } from '../symbols/symbols-of.js';
import type { SegmentView } from './store/loaded-generation.js';

/** Names between two looks at the clock. */
const NAMES_AT_ONCE = 256;

/** Returns the definitions of one generation that match; reads tables alone, in slices of time. */
export async function findSymbols(
  views: readonly SegmentView[],
  { match, filter, limit }: Pick<SymbolQuery, 'match' | 'filter' | 'limit'>,
): Promise<IndexedSymbol[]> {
  const slices = new TimeSlices();
  const rank = symbolRanker(match);
  const isWanted = (name: string): boolean => rank(name) !== undefined;
  const accept = filter ? compileChunkFilter(filter) : () => true;
  const found: OrderedSymbol[] = [];
  for (const view of views) {
    const { tables } = view.segment;
    const chunks =
      match.kind === 'exact'
        ? ascending(tables.definers(match.text), tables.chunksWithMember(match.text))
        : await definersOf(tables, isWanted, slices);
    found.push(...(await symbolsIn(view, chunks, { isWanted, accept, limit, slices })));
  }
  return inSymbolOrder(found, limit);
}

interface Selection {
  readonly isWanted: (name: string) => boolean;
  readonly accept: (chunk: FilteredChunk) => boolean;
  readonly limit: number;
  readonly slices: TimeSlices;
}

/** Returns the first symbols of a view; its chunks ascend by path and ordinal. */
async function symbolsIn(
  { segment: { tables }, dropped, source }: SegmentView,
  chunks: Iterable<number>,
  { isWanted, accept, limit, slices }: Selection,
): Promise<OrderedSymbol[]> {
  const found: OrderedSymbol[] = [];
  for (const chunk of chunks) {
    if (slices.isUsedUp) await slices.pause();
    const file = { path: tables.path(chunk), language: tables.language(chunk) };
    if (isDropped(dropped, chunk) || !accept(file)) continue;
    const described = {
      ...file,
      ordinal: tables.ordinal(chunk),
      defs: tables.defs(chunk),
      definitions: tables.definitions(chunk),
      members: tables.members(chunk),
      ...defined({
        symbol: tables.symbol(chunk),
        fragment: tables.fragment(chunk),
        start_line: tables.startLine(chunk),
        end_line: tables.endLine(chunk),
      }),
    };
    found.push(...symbolsOf(source, described, isWanted));
    if (found.length >= limit) break;
  }
  return found;
}

/** Returns the chunks of both, ascending, each once. */
function ascending(definers: Uint32Array, others: Iterable<number>): Iterable<number> {
  const withMember = [...others];
  if (withMember.length === 0) return definers;
  return Uint32Array.from(new Set([...definers, ...withMember])).sort();
}

/** Returns the chunks that define a wanted name, also as a member, ascending. */
async function definersOf(
  tables: PackTables,
  isWanted: (name: string) => boolean,
  slices: TimeSlices,
): Promise<Iterable<number>> {
  const marked = new Uint8Array(tables.chunkCount);
  for (let name = 0; name < tables.definedCount; name += 1) {
    if (name % NAMES_AT_ONCE === 0 && slices.isUsedUp) await slices.pause();
    if (isWanted(tables.definedName(name)))
      for (const chunk of tables.definersAt(name)) marked[chunk] = 1;
  }
  await markMembers(tables, isWanted, slices, marked);
  return markedIn(marked);
}

/** Marks the chunks with a member of a wanted name. */
async function markMembers(
  tables: PackTables,
  isWanted: (name: string) => boolean,
  slices: TimeSlices,
  marked: Uint8Array,
): Promise<void> {
  let count = 0;
  for (const { name, chunks } of tables.membersByName()) {
    if (count % NAMES_AT_ONCE === 0 && slices.isUsedUp) await slices.pause();
    count += 1;
    if (isWanted(tables.strings.at(name))) for (const chunk of chunks()) marked[chunk] = 1;
  }
}

function* markedIn(marked: Uint8Array): Iterable<number> {
  for (let at = marked.indexOf(1); at !== -1; at = marked.indexOf(1, at + 1)) yield at;
}

/** Returns the fields that have a value. */
function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as never;
}
