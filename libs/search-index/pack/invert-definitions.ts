import type { ChunkPlace } from './chunk-place.js';

/** Names that chunks define, both ways, as string ids. */
export interface InvertedDefinitions {
  /** `chunks + 1` offsets into `names`: what each chunk defines, in its own order. */
  readonly offsets: Uint32Array;
  readonly names: Uint32Array;
  /** Ascending, with `definedNames + 1` offsets into `definedChunks`: who defines each name. */
  readonly definedNames: Uint32Array;
  readonly definedOffsets: Uint32Array;
  readonly definedChunks: Uint32Array;
}

export function invertDefinitions(
  places: readonly ChunkPlace[],
  stringId: ReadonlyMap<string, number>,
): InvertedDefinitions {
  const offsets = new Uint32Array(places.length + 1);
  const names: number[] = [];
  const definers = new Map<number, number[]>();
  places.forEach(({ chunk }, at) => {
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
