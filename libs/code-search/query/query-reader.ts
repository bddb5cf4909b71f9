import { QueryError } from './query-error.js';

/** A text, phrase or expression as it was written. */
export interface Written {
  readonly form: 'word' | 'phrase' | 'regex';
  readonly text: string;
  /** Position of the first character of `text`. */
  readonly at: number;
}

const SPACE = /\s/u;

/** Reads the characters of a query from left to right. */
export class QueryReader {
  private readonly characters: readonly string[];
  at = 0;

  constructor(query: string) {
    this.characters = [...query];
  }

  get isAtEnd(): boolean {
    return this.at >= this.characters.length;
  }

  /** Returns the character at an offset from here; empty after the end. */
  peek(offset = 0): string {
    return this.characters[this.at + offset] ?? '';
  }

  skipSpace(): void {
    while (SPACE.test(this.peek())) this.at += 1;
  }

  /** Returns the text from here to the next white space, without moving. */
  ahead(): string {
    let end = this.at;
    while (end < this.characters.length && !SPACE.test(this.characters[end] as string)) end += 1;
    return this.characters.slice(this.at, end).join('');
  }

  /**
   * Reads a word, a phrase in quotes or an expression between slashes.
   * @throws QueryError for an unclosed quote.
   */
  value(): Written {
    if (this.peek() === '"') return this.phrase();
    return (this.peek() === '/' ? this.regex() : undefined) ?? this.word();
  }

  private phrase(): Written {
    const start = this.at;
    let text = '';
    for (let at = start + 1; at < this.characters.length; at += 1) {
      const character = this.characters[at] as string;
      if (character === '"') {
        this.at = at + 1;
        return { form: 'phrase', text, at: start + 1 };
      }
      const next = this.characters[at + 1];
      const isEscape = character === '\\' && (next === '"' || next === '\\');
      if (isEscape) at += 1;
      text += isEscape ? next : character;
    }
    const message = 'has an unclosed quote; close it, or write \\" inside quotes for a quote';
    throw new QueryError(message, start);
  }

  /** Returns undefined if no slash ends it: a path such as `/usr/lib` is a word. */
  private regex(): Written | undefined {
    const start = this.at + 1;
    for (let at = start; at < this.characters.length; at += 1) {
      const character = this.characters[at] as string;
      if (character === '\\') at += 1;
      else if (character === '/' && this.isBoundary(at + 1) && at > start) {
        this.at = at + 1;
        return { form: 'regex', text: this.characters.slice(start, at).join(''), at: start };
      }
    }
    return undefined;
  }

  /** Ends at white space, or at a parenthesis that closes a group outside of the word. */
  private word(): Written {
    const start = this.at;
    let depth = 0;
    while (!this.isAtEnd && !SPACE.test(this.peek())) {
      const character = this.peek();
      if (character === ')' && depth === 0) break;
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      this.at += 1;
    }
    return { form: 'word', text: this.characters.slice(start, this.at).join(''), at: start };
  }

  private isBoundary(at: number): boolean {
    const character = this.characters[at];
    return character === undefined || character === ')' || SPACE.test(character);
  }
}
