/**
 * Chunks of a pack that are no longer in a generation: bit `i & 7` of byte `i >> 3` is chunk `i`.
 */
export type DroppedBitmap = Uint8Array;

export function isDropped(bitmap: DroppedBitmap | undefined, chunk: number): boolean {
  return bitmap !== undefined && ((bitmap[chunk >> 3] ?? 0) & (1 << (chunk & 7))) !== 0;
}

/**
 * @param base64 as in a manifest.
 * @param chunks the pack's size.
 * @throws RangeError if the bitmap is of another size.
 */
export function decodeDropped(
  base64: string | undefined,
  chunks: number,
): DroppedBitmap | undefined {
  if (base64 === undefined) return undefined;
  const bitmap = new Uint8Array(Buffer.from(base64, 'base64'));
  if (bitmap.length !== Math.ceil(chunks / 8))
    throw new RangeError(`the bitmap must have the length for ${chunks} chunks`);
  return bitmap;
}

export function encodeDropped(bitmap: DroppedBitmap): string {
  return Buffer.from(bitmap).toString('base64');
}

/** Returns a copy of `bitmap` (or an empty one) with further chunks marked. */
export function markDropped(
  bitmap: DroppedBitmap | undefined,
  chunks: number,
  dropped: Iterable<number>,
): DroppedBitmap {
  const marked = new Uint8Array(Math.ceil(chunks / 8));
  if (bitmap) marked.set(bitmap);
  for (const chunk of dropped) {
    if (chunk < 0 || chunk >= chunks)
      throw new RangeError(`chunk ${chunk} is not in a pack of ${chunks}`);
    marked[chunk >> 3] = (marked[chunk >> 3] as number) | (1 << (chunk & 7));
  }
  return marked;
}

export function countDropped(bitmap: DroppedBitmap | undefined): number {
  let count = 0;
  for (let byte of bitmap ?? []) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
}
