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
    rules: { 'footnote/plain-language': 'error' },
  };
  return new Linter().verify(code, config).map(({ message }) => message);
}

describe('the lint rule plain-language', () => {
  it.each([
    ['comments', '/** Returns the name, or null where `tell` has none. */ export const a = 1;'],
    ['a quoted word', '// The log says "told" here.'],
    ['a sentence with "there is none"', '// Returns null if there is none.'],
    ['a bearer token', '// Sends the bearer token.'],
    ['values of one or two words', "export const words = ['anew', 'told beside'];"],
    ['names of other packages', "import { quantise } from 'a'; quantise(1);"],
    ['a line comment that opens with a question word', '// What follows is text.'],
    ['words that only look British', '// Optimistic analyses of analysis promise a revision.'],
  ])('accepts %s', (_, code) => {
    expect(problemsOf(code)).toEqual([]);
  });

  it.each([
    ['an avoided word in a comment', '// Nobody was told.', 'Avoid "told"'],
    ['a phrase across two lines', '// The worker lets\n// go of it.', 'Avoid "lets go"'],
    ['an avoided word in a message', "throw new Error('builds the index anew');", 'Avoid "anew"'],
    ['an avoided word in a template', 'f(`${1} is kept beside it`);', 'Avoid "beside"'],
    ['a riddle', '// A vector that is none.', 'Avoid "is none"'],
    ['a doc comment of a question', '/** What it does. */ function f() {}', 'not with "What"'],
    ['a doc comment of several lines', '/**\n * Of the log.\n */\nlet a;', 'not with "Of"'],
    ['a doc comment of a relative clause', '/** Whom it serves. */ let a;', 'not with "Whom"'],
    ['a person as "he"', '// The owner and his keys.', 'Avoid "his"'],
    ['British spelling in a comment', '// Serialises the colour.', 'found "Serialises"'],
    ['a British variable', 'const neighbours = 1;', 'in "neighbours"'],
    ['a British parameter', 'function f(licenceName) {}', 'in "licenceName"'],
    ['a word of a longer name', 'const labelledSets = 1;', 'found "labelled"'],
    ['a British method', 'class A { quantise() {} }', 'in "quantise"'],
  ])('rejects %s', (_, code, message) => {
    expect(problemsOf(code)).toEqual([expect.stringContaining(message)]);
  });
});
