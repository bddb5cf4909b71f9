/** A chunk that is whole lines of one document: 1-based, both ends included. */
export interface LineRange {
  readonly chunkId: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A chunk with its text and its value. */
export interface Piece extends LineRange {
  /** Lines byte for byte, joined by `\n`, without the last one's. */
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
  /**
   * Most tokens, summed over its pieces, to which a passage grows by pieces that only touch it;
   * overlapping ones always join.
   */
  readonly maxTokens: number;
  /** Returns false for a piece that lacks a part of its lines: it stays alone. */
  readonly isWhole: (piece: Piece) => boolean;
}

/** Pieces each of which overlaps another, or one alone. Blocks of a document share no line. */
interface Block<P extends Piece> {
  /** In the document's order. */
  readonly pieces: P[];
  readonly startLine: number;
  endLine: number;
  tokenCount: number;
  best: P;
}

/**
 * Joins pieces of one document that overlap or touch: no line is in two passages. A passage grows
 * from the best remaining piece, towards the better side first. Pieces with a line between them
 * stay separate, even if it is blank: its bytes are unknown, and a citation is exact.
 *
 * @returns the passages by score, best first; equal ones in the document's order. Every piece is in
 * exactly one.
 */
export function mergePassages<P extends Piece>(
  pieces: readonly P[],
  options: MergeOptions,
): LinePassage<P>[] {
  const inOrder = [...pieces].sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  const blocks = overlapping(inOrder.filter(options.isWhole));
  const taken = new Set<Block<P>>();
  const byScore = [...blocks].sort((a, b) => b.best.score - a.best.score);
  const joined = byScore.flatMap((core) =>
    taken.has(core) ? [] : [grow(core, blocks, taken, options.maxTokens)],
  );
  const alone = inOrder
    .filter((piece) => !options.isWhole(piece))
    .map((piece) => passage(piece, [piece]));
  return [...joined, ...alone].sort(
    (a, b) => b.best.score - a.best.score || a.startLine - b.startLine,
  );
}

/** Groups overlapping pieces into blocks. @param inOrder by their first lines */
function overlapping<P extends Piece>(inOrder: readonly P[]): Block<P>[] {
  const blocks: Block<P>[] = [];
  for (const piece of inOrder) {
    const { startLine, endLine, tokenCount } = piece;
    const last = blocks.at(-1);
    if (last === undefined || startLine > last.endLine) {
      blocks.push({ pieces: [piece], startLine, endLine, tokenCount, best: piece });
    } else {
      last.pieces.push(piece);
      last.endLine = Math.max(last.endLine, endLine);
      last.tokenCount += tokenCount;
      if (piece.score > last.best.score) last.best = piece;
    }
  }
  return blocks;
}

/** Joins the blocks next to `core` that touch it and are not taken, and takes them. */
function grow<P extends Piece>(
  core: Block<P>,
  blocks: readonly Block<P>[],
  taken: Set<Block<P>>,
  maxTokens: number,
): LinePassage<P> {
  let first = blocks.indexOf(core);
  let last = first;
  let tokens = core.tokenCount;
  taken.add(core);

  const joins = (block: Block<P> | undefined): block is Block<P> =>
    block !== undefined && !taken.has(block) && tokens + block.tokenCount <= maxTokens;
  for (;;) {
    const [above, below] = [blocks[first - 1], blocks[last + 1]];
    const sides = [
      joins(above) && above.endLine + 1 === blocks[first]?.startLine ? above : undefined,
      joins(below) && below.startLine - 1 === blocks[last]?.endLine ? below : undefined,
    ].filter((side) => side !== undefined);
    const next = sides.sort((a, b) => b.best.score - a.best.score)[0];
    if (next === undefined) break;
    if (next === above) first -= 1;
    else last += 1;
    taken.add(next);
    tokens += next.tokenCount;
  }
  const pieces = blocks.slice(first, last + 1).flatMap((block) => block.pieces);
  return passage(core.best, pieces);
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

/**
 * Returns ids of the chunks that are only pieces of one over-long line. They share its number, and
 * none of them has the whole line. Therefore none may be joined with the lines next to it.
 */
export function piecesOfLines(document: readonly LineRange[]): ReadonlySet<string> {
  const byLine = Map.groupBy(
    document.filter(({ startLine, endLine }) => startLine === endLine),
    ({ startLine }) => startLine,
  );
  return new Set(
    [...byLine.values()].flatMap((same) =>
      same.length > 1 ? same.map(({ chunkId }) => chunkId) : [],
    ),
  );
}
