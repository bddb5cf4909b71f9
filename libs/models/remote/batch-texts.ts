export interface BatchBounds {
  /** Texts in one request. */
  readonly count: number;
  /** UTF-16 units in one request; a longer text is a request of its own. */
  readonly characters: number;
}

/** Cuts a list into runs within the bounds, in order. */
export function batchTexts(texts: readonly string[], { count, characters }: BatchBounds): readonly string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let size = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length >= count || size + text.length > characters)) {
      batches.push(batch);
      batch = [];
      size = 0;
    }
    batch.push(text);
    size += text.length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
