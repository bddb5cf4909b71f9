import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { Parser } from 'web-tree-sitter';

import { byBaselineCompiler } from '#platform/process/baseline-compiler';
import { LANGUAGE_FIXTURES } from '#test/support/language-fixtures';

import { languageOf } from '../parse/languages.js';
import { componentName, componentParts, scriptsOnly } from './component-parts.js';
import { Definitions, type FoundName } from './definitions.js';
import { Grammars } from './grammars.js';
import { LineTable } from './line-table.js';
import { outlineLines } from './outline-lines.js';
import { OUTLINES } from './outlines.js';
import { LANGUAGE_QUERIES } from './queries/index.js';
import { sqlStatements } from './sql-statements.js';
import { definitionsOfTree } from './tree-definitions.js';

const fixtures = fileURLToPath(new URL('../../../../test/fixtures/languages', import.meta.url));
let grammars: Grammars;
let parser: Parser;

beforeAll(async () => {
  grammars = await Grammars.open(fileURLToPath(new URL('../../../grammars', import.meta.url)));
  parser = new Parser();
});

function namesIn(file: string, language: string, lines: LineTable): readonly FoundName[] {
  const outline = OUTLINES[language];
  if (language === 'sql') return sqlStatements(lines).names;
  if (outline !== undefined) return outlineLines(lines, outline).names;
  if (language === 'vue' || language === 'svelte') {
    const scripts = scriptsOnly(lines, componentParts(lines));
    return [...componentName(file, lines), ...namesInTree(scripts, 'typescript')];
  }
  return namesInTree(lines.text, language);
}

function namesInTree(text: string, language: string): readonly FoundName[] {
  const grammar = grammars.get(language);
  if (grammar === undefined) throw new Error(`No grammar for ${language}`);
  parser.setLanguage(grammar.language);
  const tree = byBaselineCompiler(() => parser.parse(text));
  if (tree === null) throw new Error(`${language} was not parsed`);
  expect(tree.rootNode.hasError).toBe(false);
  try {
    return definitionsOfTree(tree.rootNode, grammar.query);
  } finally {
    tree.delete();
  }
}

describe('languages', () => {
  it('all load their grammar and their definition query', () => {
    const names = Object.keys(LANGUAGE_QUERIES);
    expect(names).toHaveLength(33);
    for (const name of names)
      expect(grammars.get(name)?.language.abiVersion).toBeGreaterThanOrEqual(13);
    expect(grammars.get('cobol')).toBeUndefined();
    expect(grammars.get('constructor')).toBeUndefined();
  });

  it('throw at once when a grammar is missing', async () => {
    await expect(Grammars.open(fixtures)).rejects.toThrow('tree-sitter-');
  });

  it('all have a fixture', () => {
    expect(Object.keys(LANGUAGE_FIXTURES).sort()).toEqual(readdirSync(fixtures).sort());
    const covered = new Set(Object.values(LANGUAGE_FIXTURES).map(({ language }) => language));
    expect([...covered].sort()).toEqual(
      [...Object.keys(LANGUAGE_QUERIES), ...Object.keys(OUTLINES), 'sql', 'svelte', 'vue'].sort(),
    );
  });

  it.each(Object.entries(LANGUAGE_FIXTURES))(
    'finds the definitions of %s',
    (file, { language, lines: expected }) => {
      const text = readFileSync(join(fixtures, file), 'utf8');
      if (language !== 'regex') expect(languageOf(file, text).language).toBe(language);
      const lines = new LineTable(text);
      const definitions = new Definitions(namesIn(file, language, lines), lines);
      const found = Array.from({ length: lines.count }, (_, line) => {
        const { symbol, defs } = definitions.namesOf({ first: line, last: line });
        return defs.length === 0 ? [] : [[line + 1, symbol, defs.join(' ')]];
      }).flat();
      expect(found).toEqual(expected);
    },
  );
});
