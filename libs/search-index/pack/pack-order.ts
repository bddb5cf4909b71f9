/** The location of a chunk in its source. */
interface Located {
  readonly path: string;
  readonly ordinal: number;
}

/** A chunk of a part, by its index there. */
export interface ChunkOfPart<Part, Chunk> {
  readonly part: Part;
  readonly index: number;
  readonly chunk: Chunk;
}

/**
 * Returns the chunks of parts in the order of a pack: by path and ordinal.
 * @param pathId number of each path, ascending in UTF-8 order.
 */
export function inPackOrder<
  Chunk extends Located,
  Part extends { readonly chunks: readonly Chunk[] },
>(
  parts: readonly (Part & { readonly chunks: readonly Chunk[] })[],
  pathId: ReadonlyMap<string, number>,
): ChunkOfPart<Part, Chunk>[] {
  const packed = parts.flatMap((part) =>
    part.chunks.map((chunk, index) => ({ part, index, chunk })),
  );
  const idOf = ({ chunk }: { readonly chunk: Located }): number => pathId.get(chunk.path) as number;
  return packed.sort((a, b) => idOf(a) - idOf(b) || a.chunk.ordinal - b.chunk.ordinal);
}
