import type { AnalyzedPart, ChunkRecord } from './analyzed-part.js';
import { type DefinitionPlaces, packPlaces } from './definition-places.js';
import { type EncodedStrings, encodeStrings, inUtf8Order } from './sorted-tables.js';

/** A chunk to be packed, by its part and its index there. */
export interface PackedChunk {
  readonly part: AnalyzedPart;
  readonly index: number;
  readonly chunk: ChunkRecord;
}

/**
 * Terms in UTF-8 order with their postings: for each, chunks ascending and the weighted frequency
 * in each.
 */
export interface InvertedTerms {
  readonly strings: EncodedStrings;
  /** `terms + 1` offsets into `chunks` and `frequencies`. */
  readonly offsets: Uint32Array;
  readonly chunks: Uint32Array;
  readonly frequencies: Uint8Array;
}

/**
 * Converts the parts' forward lists into postings over chunks in pack order. Terms without chunks
 * are omitted.
 */
export function invertTerms(
  parts: readonly AnalyzedPart[],
  packed: readonly PackedChunk[],
): InvertedTerms {
  const used = new Set<string>();
  for (const part of parts) for (const term of usedTerms(part)) used.add(term);
  const terms = inUtf8Order([...used]);
  const idOf = new Map(terms.map((term, id) => [term, id]));
  const globalIds = new Map(
    parts.map(
      (part) => [part, Uint32Array.from(part.terms, (term) => idOf.get(term) ?? 0)] as const,
    ),
  );

  const offsets = new Uint32Array(terms.length + 1);
  for (const part of parts) {
    const ids = globalIds.get(part) as Uint32Array;
    for (const local of part.termIds) {
      const next = (ids[local] as number) + 1;
      offsets[next] = (offsets[next] as number) + 1;
    }
  }
  for (let id = 0; id < terms.length; id++)
    offsets[id + 1] = (offsets[id + 1] as number) + (offsets[id] as number);

  const total = offsets[terms.length] as number;
  const chunks = new Uint32Array(total);
  const frequencies = new Uint8Array(total);
  const cursor = offsets.slice();
  packed.forEach(({ part, index }, at) => {
    const ids = globalIds.get(part) as Uint32Array;
    const end = part.termOffsets[index + 1] as number;
    for (let i = part.termOffsets[index] as number; i < end; i++) {
      const id = ids[part.termIds[i] as number] as number;
      const slot = cursor[id] as number;
      chunks[slot] = at;
      frequencies[slot] = part.frequencies[i] as number;
      cursor[id] = slot + 1;
    }
  });
  return { strings: encodeStrings(terms), offsets, chunks, frequencies };
}

function usedTerms(part: AnalyzedPart): string[] {
  const seen = new Uint8Array(part.terms.length);
  for (const id of part.termIds) seen[id] = 1;
  return part.terms.filter((_, id) => seen[id] === 1);
}

/** Names that chunks define, in both directions, as string ids. */
export interface InvertedDefinitions {
  /** `chunks + 1` offsets into `names`: the definitions of each chunk, in its own order. */
  readonly offsets: Uint32Array;
  readonly names: Uint32Array;
  /**
   * Ascending, with `definedNames + 1` offsets into `definedChunks`: the chunks that define each
   * name.
   */
  readonly definedNames: Uint32Array;
  readonly definedOffsets: Uint32Array;
  readonly definedChunks: Uint32Array;
}

/** Lines of definitions; names and symbols as string ids. */
export interface PlacedDefinitions {
  /** `chunks + 1` offsets into the others. */
  readonly offsets: Uint32Array;
  readonly names: Uint32Array;
  readonly symbols: Uint32Array;
  readonly startLines: Uint32Array;
  readonly endLines: Uint32Array;
  /** Null if no definition has a place. */
  readonly places: DefinitionPlaces | null;
}

/** Null if no chunk has lines: parts of older versions produce the same pack as before. */
export function placeDefinitions(
  packed: readonly PackedChunk[],
  stringId: ReadonlyMap<string, number>,
): PlacedDefinitions | null {
  const offsets = new Uint32Array(packed.length + 1);
  packed.forEach(({ chunk }, at) => {
    offsets[at + 1] = (offsets[at] as number) + (chunk.definitions?.length ?? 0);
  });
  const all = packed.flatMap(({ chunk }) => chunk.definitions ?? []);
  if (all.length === 0) return null;
  return {
    offsets,
    names: Uint32Array.from(all, ({ name }) => stringId.get(name) as number),
    symbols: Uint32Array.from(all, ({ symbol }) => stringId.get(symbol) as number),
    startLines: Uint32Array.from(all, ({ start_line }) => start_line),
    endLines: Uint32Array.from(all, ({ end_line }) => end_line),
    places: packPlaces(all),
  };
}

export function invertDefinitions(
  packed: readonly PackedChunk[],
  stringId: ReadonlyMap<string, number>,
): InvertedDefinitions {
  const offsets = new Uint32Array(packed.length + 1);
  const names: number[] = [];
  const definers = new Map<number, number[]>();
  packed.forEach(({ chunk }, at) => {
    for (const name of new Set(chunk.defs)) {
      const id = stringId.get(name) as number;
      names.push(id);
      const known = definers.get(id);
      if (known) known.push(at);
      else definers.set(id, [at]);
    }
    offsets[at + 1] = names.length;
  });
  const definedNames = Uint32Array.from(definers.keys()).sort();
  const definedOffsets = new Uint32Array(definedNames.length + 1);
  const definedChunks: number[] = [];
  definedNames.forEach((id, i) => {
    for (const chunk of definers.get(id) as number[]) definedChunks.push(chunk);
    definedOffsets[i + 1] = definedChunks.length;
  });
  return {
    offsets,
    names: Uint32Array.from(names),
    definedNames,
    definedOffsets,
    definedChunks: Uint32Array.from(definedChunks),
  };
}
