import { CHUNK_LIMITS, type LineSpan, type Span } from './limits.js';
import { isBlankBetween, type LineTable } from './line-table.js';

/** Collector that merges spans of text, added in order, up to the target size. */
export class SpanCollector {
  private readonly spans: Span[] = [];
  private open: { start: number; end: number; limit: number } | undefined;

  constructor(private readonly lines: LineTable) {}

  /** Adds a span; with `leads`, the next one may join it up to the hard limit. */
  add(start: number, end: number, leads = false): void {
    const limit = leads ? CHUNK_LIMITS.hardCharacters : CHUNK_LIMITS.targetCharacters;
    if (this.open !== undefined && end - this.open.start <= this.open.limit) {
      this.open.end = end;
      this.open.limit = limit;
      return;
    }
    this.flush();
    this.open = { start, end, limit };
  }

  /** Allows the next span to join the open one up to the hard limit. */
  keepOpen(): void {
    if (this.open !== undefined) this.open.limit = CHUNK_LIMITS.hardCharacters;
  }

  /** Closes the open span, so that the next one starts separately (until the levels are merged). */
  flush(): void {
    if (this.open !== undefined) this.spans.push({ start: this.open.start, end: this.open.end });
    this.open = undefined;
  }

  /**
   * Adds a span that is too large for one chunk and has no parts. It is cut at line ends, or
   * anywhere if it has none.
   */
  addLarge(start: number, end: number): void {
    this.flush();
    while (end - start > CHUNK_LIMITS.targetCharacters) {
      const newline = this.lines.text.lastIndexOf('\n', start + CHUNK_LIMITS.targetCharacters - 1);
      const cut = newline >= start ? newline + 1 : start + CHUNK_LIMITS.targetCharacters;
      this.spans.push({ start, end: cut });
      start = cut;
    }
    this.open = { start, end, limit: CHUNK_LIMITS.targetCharacters };
  }

  /**
   * Returns spans of whole lines. Neighbors are merged across levels while they fit. Each range
   * extends to the end of its last line, and the next starts on the following line. The ranges tile
   * the file.
   */
  toLineSpans(): LineSpan[] {
    this.flush();
    const found: LineSpan[] = [];
    let first = 0;
    for (const span of mergeAcrossLevels(this.spans)) {
      const last = this.lines.lineAt(lastVisible(this.lines.text, span));
      if (last < first) continue;
      found.push({ first, last });
      first = last + 1;
    }
    if (first < this.lines.count) found.push({ first, last: this.lines.count - 1 });
    return found;
  }
}

function mergeAcrossLevels(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last !== undefined && span.end - last.start <= CHUNK_LIMITS.targetCharacters) {
      merged[merged.length - 1] = { start: last.start, end: span.end };
    } else merged.push(span);
  }
  return merged;
}

/**
 * Returns the offset of the span's last character that is not white space. Grammars often include
 * the newline in the node.
 */
function lastVisible(text: string, span: Span): number {
  let at = span.end - 1;
  while (at > span.start && isBlankBetween(text, at, at + 1)) at -= 1;
  return at;
}
