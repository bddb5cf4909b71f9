import type { LineRange } from './line-range.js';

/** A chunk with its text and what it is worth. */
export interface Piece extends LineRange {
  /** The lines byte for byte, joined by `\n`, without the last one's. */
  readonly content: string;
  readonly tokenCount: number;
  readonly score: number;
}

/** Lines of one document that follow each other without a gap. */
export interface LinePassage<P extends Piece> {
  /** The piece that gives the passage its score and its name. */
  readonly best: P;
  /** In the document's order; one alone when nothing touched it. */
  readonly pieces: readonly P[];
  readonly startLine: number;
  readonly endLine: number;
  /** The lines `startLine` to `endLine` byte for byte. */
  readonly content: string;
}

export interface MergeOptions {
  /** Most tokens, summed over its pieces, that a passage grows to by pieces that only touch it; overlapping ones always join. */
  readonly maxTokens: number;
  /** False for a piece that lacks a part of its lines: it stays alone. */
  readonly isWhole: (piece: Piece) => boolean;
}

/**
 * Joins pieces of one document that overlap or touch. A passage grows from the best piece left, towards the better side
 * first. Pieces with a line between them stay apart, though it be blank: its bytes are unknown, and a citation is exact.
 *
 * @returns the passages by score, best first; equal ones in the document's order. Every piece is in exactly one.
 */
export function mergePassages<P extends Piece>(pieces: readonly P[], options: MergeOptions): LinePassage<P>[] {
  const inOrder = [...pieces].sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  const taken = new Set<P>();
  const best = [...inOrder].sort((a, b) => b.score - a.score);
  return best.flatMap((core) => (taken.has(core) ? [] : [passage(core, grow(core, inOrder, taken, options))]));
}

function grow<P extends Piece>(core: P, inOrder: readonly P[], taken: Set<P>, options: MergeOptions): P[] {
  let first = inOrder.indexOf(core);
  let last = first;
  let { startLine, endLine, tokenCount: tokens } = core;
  taken.add(core);

  const joins = (piece: P | undefined): piece is P => {
    if (piece === undefined || taken.has(piece) || !options.isWhole(piece) || !options.isWhole(core)) return false;
    if (piece.startLine > endLine + 1 || startLine > piece.endLine + 1) return false;
    const overlaps = piece.startLine <= endLine && startLine <= piece.endLine;
    return overlaps || tokens + piece.tokenCount <= options.maxTokens;
  };
  for (;;) {
    const sides = [inOrder[first - 1], inOrder[last + 1]].filter(joins);
    const next = sides.sort((a, b) => b.score - a.score)[0];
    if (next === undefined) return inOrder.slice(first, last + 1);
    if (next === inOrder[first - 1]) first -= 1;
    else last += 1;
    taken.add(next);
    startLine = Math.min(startLine, next.startLine);
    endLine = Math.max(endLine, next.endLine);
    tokens += next.tokenCount;
  }
}

function passage<P extends Piece>(best: P, pieces: readonly P[]): LinePassage<P> {
  const [first = best, ...others] = pieces;
  const contents = [first.content];
  let { endLine } = first;
  for (const { startLine, endLine: end, content } of others) {
    if (end <= endLine) continue;
    const known = Math.max(0, endLine - startLine + 1);
    contents.push(content.split('\n').slice(known).join('\n'));
    endLine = end;
  }
  return { best, pieces, startLine: first.startLine, endLine, content: contents.join('\n') };
}
