/** Lines that the reading pane loads and lays out at once. */
export const LINES_PER_BLOCK = 100;

/** Returns the block of a line; both the block and the line before the first are the first. */
export function blockOf(line: number): number {
  return Math.max(0, Math.floor((line - 1) / LINES_PER_BLOCK));
}

/** Returns the number of lines of each block of a document. */
export function blocksOf(total: number): readonly number[] {
  return Array.from({ length: Math.ceil(total / LINES_PER_BLOCK) }, (_, block) =>
    Math.min(LINES_PER_BLOCK, total - block * LINES_PER_BLOCK),
  );
}
