import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import { type ESLint, Linter } from 'eslint';

const FILE = pathToFileURL(resolve('tools/eslint/plain-language.mjs')).href;
const { plugin } = (await import(FILE)) as { plugin: ESLint.Plugin };

/** Returns the messages of the rule about a file of plain JavaScript. */
function problemsOf(code: string): readonly string[] {
  const config: Linter.Config = {
    plugins: { footnote: plugin },
    rules: { 'footnote/short-sentences': 'error' },
  };
  return new Linter().verify(code, config).map(({ message }) => message);
}

/** Returns a number of words without a period. */
const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

describe('the lint rule short-sentences', () => {
  it.each([
    ['25 words', `/** ${words(25)}. */`],
    ['two sentences of 25 words', `/** ${words(25)}. ${words(25)}. */`],
    ['a code span as one word', `// ${words(24)} \`a b. c d e f\`.`],
    ['a URL as one word', `// ${words(21)} https://example.com/a.b?c=d, e.g. this one.`],
    ['a link as one word', `/** ${words(24)} {@link Some name of several words}. */`],
    ['dashes and arrows as no words', `// ${words(25)} – → — = +`],
    ['items of a list', `/**\n * ${words(20)}:\n * - ${words(20)}\n * - ${words(20)}\n */`],
    ['tags', `/**\n * ${words(20)}\n * @param a ${words(20)}\n * @returns ${words(20)}\n */`],
    ['paragraphs', `/**\n * ${words(20)}\n *\n * ${words(20)}\n */`],
    ['examples of code', `/**\n * \`\`\`\n * ${words(40)}\n * \`\`\`\n */`],
    ['a colon before a sentence', `// ${words(20)}: Word ${words(20)}.`],
    ['comments apart from each other', `// ${words(20)}\nlet a;\n// ${words(20)}`],
    ['strings', `f('${words(40)}');`],
  ])('accepts %s', (_, code) => {
    expect(problemsOf(code)).toEqual([]);
  });

  it.each([
    ['a doc comment', `/** Returns ${words(25)}. */`],
    ['the second sentence', `/** ${words(5)}. Returns ${words(25)}. */`],
    ['a sentence over several lines', `/**\n * Returns ${words(15)}\n * ${words(10)}.\n */`],
    ['line comments that follow each other', `// Returns ${words(15)}\n// ${words(10)}.`],
    ['a colon within a sentence', `// Returns ${words(15)}: ${words(10)}.`],
    ['an abbreviation', `// Returns ${words(15)} (e.g. ${words(9)}).`],
    ['an item of a list', `/**\n * A list:\n * - Returns ${words(25)}\n */`],
    ['a tag', `/** @param a Returns ${words(23)}. */`],
  ])('rejects %s of 26 words', (_, code) => {
    expect(problemsOf(code)).toEqual([
      expect.stringMatching(/^Split the sentence .* has 26 words/),
    ]);
  });
});
