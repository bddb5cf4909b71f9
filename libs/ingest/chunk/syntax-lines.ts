import type { Node } from 'web-tree-sitter';

import type { LanguageProfile } from './language-profile.js';
import { CHUNK_LIMITS, type LineSpan, type Span } from './limits.js';
import { isBlankBetween, type LineTable } from './line-table.js';
import { SpanCollector } from './span-collector.js';

/** Node with the comments, decorators and attributes right before it. */
interface Unit extends Span {
  readonly node: Node;
  /** End of the leading part; equals `start` if there is none. */
  readonly leadEnd: number;
}

/**
 * Cuts a syntax tree by cAST (split, then merge). Siblings are merged up to the target size, a
 * larger node is split, and a larger leaf is cut at line ends. Comments and decorators stay with
 * the first lines of their definition up to the hard limit. Works on broken trees: text that no
 * node covers counts as a node. The line ranges tile the file in order.
 */
export function syntaxLines(root: Node, lines: LineTable, profile: LanguageProfile): LineSpan[] {
  const collector = new SpanCollector(lines);
  new Splitter(lines.text, profile, collector).split(root, 0);
  return collector.toLineSpans();
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
    if (depth >= CHUNK_LIMITS.syntaxDepth || unit.node.childCount === 0)
      return this.out.addLarge(unit.start, unit.end);
    if (led) {
      this.out.flush();
      if (unit.leadEnd - unit.start > CHUNK_LIMITS.hardCharacters)
        this.out.addLarge(unit.start, unit.leadEnd);
      else this.out.add(unit.start, unit.leadEnd, true);
    } else if (this.profile.beginsWithDocComment(unit.node)) this.out.keepOpen();
    else this.out.flush();
    this.split(unit.node, depth + 1);
  }

  /** Adds text between nodes that is not white space: skipped by the parser, or inside a string. */
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

  /**
   * Returns true if no blank line separates the two. A comment before a blank line does not belong
   * to the code below.
   */
  private isAdjacent(end: number, start: number): boolean {
    let newlines = this.text.charCodeAt(end - 1) === NEWLINE ? 1 : 0;
    for (let at = end; at < start; at += 1) if (this.text.charCodeAt(at) === NEWLINE) newlines += 1;
    return newlines <= 1;
  }

  /**
   * Returns true if only white space precedes on the line. A comment at the end of a statement's
   * line belongs to that statement.
   */
  private beginsLine(start: number): boolean {
    let at = start - 1;
    while (at >= 0 && isBlankBetween(this.text, at, at + 1)) {
      if (this.text.charCodeAt(at) === NEWLINE) return true;
      at -= 1;
    }
    return at < 0;
  }
}

const NEWLINE = 10;
