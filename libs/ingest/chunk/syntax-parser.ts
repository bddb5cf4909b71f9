import { type Node, Parser } from 'web-tree-sitter';

import { byBaselineCompiler } from '#platform/process/baseline-compiler';

import type { Grammar } from './grammars.js';
import { ParseBudget } from './parse-budget.js';
import { textWindow } from './text-window.js';

/** Parser of one thread, with a budget for each text. `Grammars.open` must precede it. */
export class SyntaxParser {
  private readonly parser = new Parser();

  /** @param milliseconds of processor time for the parse of a text and every read of its tree. */
  constructor(private readonly milliseconds: number) {}

  /**
   * Returns the result of `read` on a text's tree, which is freed afterwards. Returns undefined if
   * both ran out of time.
   */
  parsed<T>(
    text: string,
    grammar: Grammar,
    read: (root: Node, isUsedUp: () => boolean) => T,
  ): T | undefined {
    const budget = new ParseBudget(this.milliseconds);
    this.parser.setLanguage(grammar.language);
    const parse = () =>
      this.parser.parse(textWindow(closed(text), budget.isUsedUp), null, {
        progressCallback: budget.isUsedUp,
      });
    const tree = grammar.hasHugeLexer ? byBaselineCompiler(parse) : parse();
    try {
      const result =
        tree === null || budget.wasExceeded ? undefined : read(tree.rootNode, budget.isUsedUp);
      return budget.wasExceeded ? undefined : result;
    } finally {
      if (tree === null) this.parser.reset();
      else tree.delete();
    }
  }

  close(): void {
    this.parser.delete();
  }
}

/**
 * Returns the text with a newline at its end. Some grammars' scanners search for the end of a line.
 * In a file that ends inside a line they never find it (Kotlin's after `@Name`), and no time limit
 * stops them.
 */
function closed(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
