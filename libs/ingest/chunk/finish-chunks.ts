import { createHash } from 'node:crypto';

import type { Chunk, ChunkDefinition, ChunkMember, ChunkType } from '#contracts';

import { CHUNK_LIMITS, type LineSpan } from './limits.js';
import type { LineTable } from './line-table.js';
import { countO200k, cutBefore } from './tokens.js';

/**
 * Names of a run of lines: the symbol and the place that a citation shows, and the names defined
 * there.
 */
export interface ChunkNames {
  readonly symbol?: string;
  readonly fragment?: string;
  readonly defs: readonly string[];
  readonly definitions?: readonly ChunkDefinition[];
  readonly members?: readonly ChunkMember[];
}

export interface ChunkTraits {
  readonly chunk_type: ChunkType;
  readonly language: string;
  /** True if chunks have line numbers. Default true. */
  readonly counted?: boolean;
  /** Returns the names of a chunk; called once per chunk, after all cuts. */
  names(span: LineSpan): ChunkNames;
}

/**
 * Creates chunks from line ranges that tile the file in order. Blank lines at their ends are
 * omitted. A range above a hard limit is cut at line ends. A single line above it is cut inside,
 * and its pieces share one line number.
 */
export function finishChunks(
  lines: LineTable,
  ranges: readonly LineSpan[],
  traits: ChunkTraits,
): Chunk[] {
  const chunks: Chunk[] = [];
  const gaps = new Gaps(lines.text, traits.counted !== false);

  const emit = (span: LineSpan, content: string, tokens: number, start: number): void => {
    const { symbol, fragment, defs, definitions, members } = traits.names(span);
    chunks.push({
      ordinal: chunks.length,
      content,
      content_hash: createHash('sha256').update(content).digest('hex'),
      token_count: tokens,
      ...(traits.counted !== false && { start_line: span.first + 1, end_line: span.last + 1 }),
      ...(symbol === undefined ? {} : { symbol }),
      ...(fragment === undefined ? {} : { fragment }),
      defs,
      ...(definitions === undefined ? {} : { definitions }),
      ...(members === undefined ? {} : { members }),
      chunk_type: traits.chunk_type,
      language: traits.language,
      ...gaps.before(start, content.length),
    });
  };

  const place = (range: LineSpan): void => {
    const span = withoutBlankEnds(lines, range);
    if (span === undefined) return;
    const start = lines.startOf(span.first);
    const short = lines.length(span.first, span.last) <= CHUNK_LIMITS.hardCharacters;
    if (short) {
      const content = lines.slice(span.first, span.last);
      const tokens = countO200k(content);
      if (tokens <= CHUNK_LIMITS.hardTokens) return emit(span, content, tokens, start);
    }
    if (span.first < span.last) halves(lines, span).forEach(place);
    else {
      for (const { piece, at } of piecesOfLine(lines.slice(span.first, span.last)))
        emit(span, piece, countO200k(piece), start + at);
    }
  };

  ranges.forEach(place);
  const last = chunks.pop();
  return last === undefined ? [] : [...chunks, { ...last, ...gaps.after() }];
}

/** Maximum characters of white space between chunks that are recorded. */
const MAX_GAP = 4_000;

/** Text between chunks, in the order in which they are cut. */
class Gaps {
  private end = 0;

  constructor(
    private readonly text: string,
    private readonly recorded: boolean,
  ) {}

  before(start: number, length: number): Pick<Chunk, 'before'> {
    const gap = this.text.slice(this.end, start);
    this.end = start + length;
    return this.recorded && gap.length <= MAX_GAP ? { before: gap } : {};
  }

  after(): Pick<Chunk, 'after'> {
    const gap = this.text.slice(this.end);
    return this.recorded && gap.length <= MAX_GAP ? { after: gap } : {};
  }
}

function withoutBlankEnds(lines: LineTable, range: LineSpan): LineSpan | undefined {
  let { first, last } = range;
  while (first <= last && lines.isBlank(first)) first += 1;
  while (last >= first && lines.isBlank(last)) last -= 1;
  return first > last ? undefined : { ...range, first, last };
}

/**
 * Cuts at the line end nearest to the middle of the text, with at least one line on either side.
 */
function halves(lines: LineTable, span: LineSpan): readonly LineSpan[] {
  const middle = lines.startOf(span.first) + lines.length(span.first, span.last) / 2;
  const cut = Math.min(Math.max(lines.lineAt(middle), span.first + 1), span.last);
  return [
    { ...span, last: cut - 1 },
    { ...span, first: cut },
  ];
}

/** Returns pieces of at most the target size, halved again while a piece has too many tokens. */
function* piecesOfLine(line: string): Generator<{ readonly piece: string; readonly at: number }> {
  for (let start = 0; start < line.length;) {
    let end = cutBefore(line, Math.min(start + CHUNK_LIMITS.targetCharacters, line.length));
    while (end - start > 2 && countO200k(line.slice(start, end)) > CHUNK_LIMITS.hardTokens) {
      end = cutBefore(line, start + ((end - start) >> 1));
    }
    const piece = line.slice(start, end);
    if (piece.trim() !== '') yield { piece, at: start };
    start = end;
  }
}
