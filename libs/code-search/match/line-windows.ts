import type { RequiredText } from '#contracts/content/required-text';

import type { LineMatcher } from '../pattern/line-engine.port.js';
import type { LineText } from './line-text.js';

/** More texts are searched for more slowly than the engine searches for the expression. */
const MOST_TEXTS = 16;

/** Texts of which each line with a match contains one. */
interface LineTexts {
  readonly texts: readonly string[];
  /** True if they are folded. */
  readonly isFolded: boolean;
}

/** Finds the lines that may match, without the engine. */
export class LineWindows {
  private constructor(
    private readonly haystack: string,
    private readonly text: LineText,
    private readonly texts: readonly string[],
  ) {}

  /** Returns undefined if each line may match. */
  static of(text: LineText, matcher: LineMatcher): LineWindows | undefined {
    const required = lineTexts(matcher);
    const haystack = required?.isFolded ? text.folded : text.text;
    if (!required || haystack === null) return undefined;
    return new LineWindows(haystack, text, required.texts);
  }

  /** Reports whether no line may match. */
  get isEmpty(): boolean {
    return !this.texts.some((each) => this.haystack.includes(each));
  }

  /** Returns the lines of a range that may match, in order; the end is exclusive. */
  lines(from: number, until: number): readonly number[] {
    const found = new Set<number>();
    const end = this.text.startOf(until);
    for (const each of this.texts) {
      let line = from;
      let at = this.haystack.indexOf(each, this.text.startOf(from));
      while (at !== -1 && at < end) {
        line = this.text.lineAt(at, line);
        found.add(line);
        at = this.haystack.indexOf(each, this.text.endOf(line));
      }
    }
    return this.texts.length === 1 ? [...found] : [...found].sort((a, b) => a - b);
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
