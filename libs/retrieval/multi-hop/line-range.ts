/** A chunk that is whole lines of one document: 1-based, both ends included. */
export interface LineRange {
  readonly chunkId: string;
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Ids of the chunks that are only pieces of one over-long line. They share its number, so the line is whole in none of
 * them, and none may be joined with the lines beside it.
 */
export function piecesOfLines(document: readonly LineRange[]): ReadonlySet<string> {
  const byLine = Map.groupBy(
    document.filter(({ startLine, endLine }) => startLine === endLine),
    ({ startLine }) => startLine,
  );
  return new Set([...byLine.values()].flatMap((same) => (same.length > 1 ? same.map(({ chunkId }) => chunkId) : [])));
}
