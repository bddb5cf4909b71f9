/**
 * Cuts documents, given as lists of their chunks, into runs of about as many chunks each; documents
 * stay whole and in order.
 */
export function cutIntoSources<T>(
  documents: readonly (readonly T[])[],
  count: number,
): (readonly T[])[][] {
  const total = documents.reduce((sum, { length }) => sum + length, 0);
  const sources = Array.from({ length: count }, (): (readonly T[])[] => []);
  let before = 0;
  for (const document of documents) {
    const middle = before + document.length / 2;
    sources[Math.min(count - 1, Math.floor((middle * count) / total))]?.push(document);
    before += document.length;
  }
  return sources;
}
