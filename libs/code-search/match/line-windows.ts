import type { RequiredText } from '#contracts/content/required-text';

import type { LineMatcher } from '../pattern/line-engine.port.js';
import type { LineText } from './line-text.js';
import { finderOf, foldedFinder, type TextFinder } from './text-finders.js';

/** More texts are searched for more slowly than the engine searches for the expression. */
const MOST_TEXTS = 16;

/** Texts of which each line with a match contains one. */
interface LineTexts {
  readonly texts: readonly string[];
  /** True if they are folded. */
  readonly isFolded: boolean;
}

/** A line of a text: the offsets of its begin and end, in bytes. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds the lines that may match, without the engine. */
export class LineWindows {
  private constructor(
    private readonly text: LineText,
    private readonly finders: readonly TextFinder[],
  ) {}

  /** Returns undefined if each line may match. */
  static of(text: LineText, matcher: LineMatcher): LineWindows | undefined {
    const required = lineTexts(matcher);
    if (!required) return undefined;
    if (!required.isFolded)
      return new LineWindows(
        text,
        required.texts.map((each) => finderOf(text, each)),
      );
    const { folded } = text;
    if (folded === null) return undefined;
    return new LineWindows(
      text,
      required.texts.map((each) => foldedFinder(text, folded, each)),
    );
  }

  /** Reports whether no line may match; asked before {@link lines}. */
  get isEmpty(): boolean {
    return this.finders.every((finder) => finder.next(0) === -1);
  }

  /**
   * Returns the lines between two offsets that may match, in order.
   * @param from the offset of a line, not less than in the call before.
   */
  lines(from: number, until: number): readonly LineSpan[] {
    const [first, ...others] = this.finders;
    if (first && others.length === 0) return this.linesOf(first, from, until);
    const found = new Map<number, LineSpan>();
    for (const finder of this.finders)
      for (const line of this.linesOf(finder, from, until)) found.set(line.start, line);
    return [...found.values()].sort((a, b) => a.start - b.start);
  }

  private linesOf(finder: TextFinder, from: number, until: number): LineSpan[] {
    const lines: LineSpan[] = [];
    for (let at = finder.next(from); at !== -1 && at < until;) {
      const line = { start: this.text.lineStart(at), end: this.text.lineEnd(at) };
      lines.push(line);
      at = finder.next(line.end + 1);
    }
    return lines;
  }
}

function lineTexts({ requiredLiteral, requiredText }: LineMatcher): LineTexts | undefined {
  if (requiredLiteral !== undefined) return { texts: [requiredLiteral], isFolded: false };
  const texts = textsOf(requiredText);
  return texts && texts.length <= MOST_TEXTS ? { texts, isFolded: true } : undefined;
}

/** Returns texts of which one is in each match; of several conditions the most selective one. */
function textsOf(required: RequiredText): readonly string[] | undefined {
  switch (required.kind) {
    case 'any':
      return undefined;
    case 'text':
      return [required.text];
    case 'or': {
      const parts = required.parts.map(textsOf);
      const known = parts.filter((part) => part !== undefined);
      return known.length === parts.length ? known.flat() : undefined;
    }
    default: {
      const known = required.parts.map(textsOf).filter((part) => part !== undefined);
      const shortest = (texts: readonly string[]) => Math.min(...texts.map(({ length }) => length));
      return known.sort((a, b) => shortest(b) - shortest(a))[0];
    }
  }
}
