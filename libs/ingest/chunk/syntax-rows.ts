import type { Node } from 'web-tree-sitter';

import { CHUNK_LIMITS, type RowRange, type Span } from './limits.js';
import { isBlankBetween, type LineTable } from './line-table.js';
import type { LanguageProfile } from './language-profile.js';

/** A node with the comments, decorators and attributes right before it. */
interface Unit extends Span {
  readonly node: Node;
  /** Where the leading part ends; equals `start` when there is none. */
  readonly leadEnd: number;
}

/**
 * cAST (split, then merge) over a syntax tree: siblings are merged up to the target size, a larger node is taken apart,
 * a larger leaf is cut at line ends. What leads a definition stays with its first lines up to the hard limit.
 * Works on broken trees: text that no node covers counts as a node. The row ranges tile the file in order.
 */
export function syntaxRows(root: Node, lines: LineTable, profile: LanguageProfile): RowRange[] {
  const collector = new SpanCollector(lines.text);
  new Splitter(lines.text, profile, collector).split(root, 0);
  return toRows(mergeAcrossLevels(collector.finish()), lines);
}

/** Merges what is added in order up to the target size. */
class SpanCollector {
  private readonly spans: Span[] = [];
  private open: { start: number; end: number; limit: number } | undefined;

  constructor(readonly text: string) {}

  /** Adds a stretch; with `leads` the next one may join up to the hard limit. */
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

  /** Lets the next stretch join the open one up to the hard limit. */
  keepOpen(): void {
    if (this.open !== undefined) this.open.limit = CHUNK_LIMITS.hardCharacters;
  }

  flush(): void {
    if (this.open !== undefined) this.spans.push({ start: this.open.start, end: this.open.end });
    this.open = undefined;
  }

  /** A stretch too large for one chunk that has no parts: cut at line ends, or anywhere if it has none. */
  addLarge(start: number, end: number): void {
    this.flush();
    while (end - start > CHUNK_LIMITS.targetCharacters) {
      const newline = this.text.lastIndexOf('\n', start + CHUNK_LIMITS.targetCharacters - 1);
      const cut = newline >= start ? newline + 1 : start + CHUNK_LIMITS.targetCharacters;
      this.spans.push({ start, end: cut });
      start = cut;
    }
    this.open = { start, end, limit: CHUNK_LIMITS.targetCharacters };
  }

  finish(): readonly Span[] {
    this.flush();
    return this.spans;
  }
}

class Splitter {
  constructor(
    private readonly text: string,
    private readonly profile: LanguageProfile,
    private readonly out: SpanCollector,
  ) {}

  split(node: Node, depth: number): void {
    let at = node.startIndex;
    for (const unit of this.units(node)) {
      this.gap(at, unit.start);
      this.place(unit, depth);
      at = Math.max(at, unit.end);
    }
    this.gap(at, depth === 0 ? this.text.length : node.endIndex);
  }

  private place(unit: Unit, depth: number): void {
    const size = unit.end - unit.start;
    if (size <= CHUNK_LIMITS.targetCharacters) return this.out.add(unit.start, unit.end);
    const led = unit.leadEnd > unit.start;
    const whole = size <= CHUNK_LIMITS.hardCharacters && this.profile.isKeptWhole(unit.node);
    if (whole) return this.out.add(unit.start, unit.end);
    if (depth >= CHUNK_LIMITS.syntaxDepth || unit.node.childCount === 0) return this.out.addLarge(unit.start, unit.end);
    if (led) {
      this.out.flush();
      if (unit.leadEnd - unit.start > CHUNK_LIMITS.hardCharacters) this.out.addLarge(unit.start, unit.leadEnd);
      else this.out.add(unit.start, unit.leadEnd, true);
    } else if (this.profile.beginsWithDocComment(unit.node)) this.out.keepOpen();
    else this.out.flush();
    this.split(unit.node, depth + 1);
  }

  /** Text between nodes that is not white space: what the parser skipped, or the inside of a string. */
  private gap(start: number, end: number): void {
    if (start >= end || isBlankBetween(this.text, start, end)) return;
    if (end - start <= CHUNK_LIMITS.targetCharacters) this.out.add(start, end);
    else this.out.addLarge(start, end);
  }

  private *units(node: Node): Generator<Unit> {
    let lead: { start: number; end: number; last: Node } | undefined;
    const alone = (open: { start: number; end: number; last: Node }): Unit => ({
      start: open.start,
      end: open.end,
      node: open.last,
      leadEnd: open.start,
    });
    for (const child of node.children) {
      const start = child.startIndex;
      const end = child.endIndex;
      if (end === start) continue;
      const adjacent = lead !== undefined && this.isAdjacent(lead.end, start);
      if (lead !== undefined && !adjacent) {
        yield alone(lead);
        lead = undefined;
      }
      if (this.profile.leads(child) && this.beginsLine(start)) {
        lead = { start: lead?.start ?? start, end, last: child };
        continue;
      }
      yield { start: lead?.start ?? start, end, node: child, leadEnd: lead?.end ?? start };
      lead = undefined;
    }
    if (lead !== undefined) yield alone(lead);
  }

  /** No blank line in between: a comment after which a line is left free belongs to nothing below. */
  private isAdjacent(end: number, start: number): boolean {
    const lineBefore = this.text.charCodeAt(end - 1) === 10 ? end - 1 : end;
    const newline = this.text.indexOf('\n', lineBefore);
    if (newline === -1 || newline >= start) return true;
    const second = this.text.indexOf('\n', newline + 1);
    return second === -1 || second >= start;
  }

  /** A comment at the end of a statement's line belongs to that statement, not to what follows. */
  private beginsLine(start: number): boolean {
    const lineStart = this.text.lastIndexOf('\n', start - 1) + 1;
    return isBlankBetween(this.text, lineStart, start);
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

/** Whole lines: each range reaches to the end of its span's last line, and the next begins on the line after. */
function toRows(spans: readonly Span[], lines: LineTable): RowRange[] {
  const rows: RowRange[] = [];
  let first = 0;
  for (const span of spans) {
    const last = lines.rowAt(lastVisible(lines.text, span));
    if (last < first) continue;
    rows.push({ first, last });
    first = last + 1;
  }
  if (first < lines.count) rows.push({ first, last: lines.count - 1 });
  return rows;
}

/** Offset of the span's last character that is not white space: grammars often count the newline to the node. */
function lastVisible(text: string, span: Span): number {
  let at = span.end - 1;
  while (at > span.start && isBlankBetween(text, at, at + 1)) at -= 1;
  return at;
}
