import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Chunk } from '#contracts';
import { threadMilliseconds } from '#test/support/thread-time';

import type { DocumentKind } from '../parse/parsed-document.js';
import { type Chunker, createChunker } from './chunker.js';

const DEEP = 4 * 1024;
const GRAMMARS = fileURLToPath(new URL('../../../grammars', import.meta.url));
let chunker: Chunker;
beforeAll(async () => {
  chunker = await createChunker({ grammarsDirectory: GRAMMARS });
});

function chunk(text: string, language: string, kind: DocumentKind = 'code') {
  return chunker.chunk({ path: 'a', kind, language, text });
}

describe('chunks', () => {
  it('do not exist for an empty or blank file', () => {
    expect(chunk('', 'typescript')).toEqual([]);
    expect(chunk('\n \n\r\n', 'typescript')).toEqual([]);
  });

  it('name the class and the method, and keep CRLF', () => {
    const [first] = chunk('\r\nclass Cat {\r\n  purr() {\r\n  }\r\n}\r\n', 'typescript');
    expect(first).toMatchObject({
      content: 'class Cat {\r\n  purr() {\r\n  }\r\n}\r',
      start_line: 2,
      end_line: 5,
      symbol: 'Cat',
      defs: ['Cat', 'purr'],
      chunk_type: 'code',
      token_count: 12,
    });
  });

  it('have the lines of each of their definitions, with the comments directly above it', () => {
    const lines = [
      'import math',
      '',
      'class Circle:',
      '    @property',
      '    def area(self):',
      '        return math.pi',
      '',
      '# By Pythagoras.',
      '# Both legs are positive.',
      'def compute_hypotenuse(a, b):',
      '    return math.hypot(a, b)',
    ];
    const [first] = chunk(lines.join('\n'), 'python');
    expect(first).toMatchObject({ symbol: 'Circle', start_line: 1, end_line: 11 });
    expect(first?.definitions).toMatchObject([
      { name: 'Circle', symbol: 'Circle', start_line: 3, end_line: 6 },
      { name: 'area', symbol: 'Circle.area', start_line: 4, end_line: 6 },
      { name: 'compute_hypotenuse', symbol: 'compute_hypotenuse', start_line: 8, end_line: 11 },
    ]);
  });

  it('have only their own lines of a definition that several chunks share', () => {
    const body = '  call(one, two, three);\n'.repeat(100);
    const chunks = chunk(`function long() {\n${body}}\n`, 'typescript');
    expect(chunks.length).toBeGreaterThan(1);
    const [first] = chunks;
    expect(first?.definitions).toMatchObject([
      { name: 'long', symbol: 'long', start_line: 1, end_line: first?.end_line },
    ]);
    expect(chunks.at(-1)).not.toHaveProperty('definitions');
  });

  it('of a page have its headings and no lines', () => {
    expect(chunk('# Pets\n\nAll of them.\n\n## Cats\n\nThey purr.\n', 'markdown', 'page')).toEqual([
      expect.objectContaining({
        symbol: 'Pets',
        content: '# Pets\n\nAll of them.',
        chunk_type: 'docs',
      }),
      expect.objectContaining({
        symbol: 'Pets > Cats',
        content: '## Cats\n\nThey purr.',
        ordinal: 1,
      }),
    ]);
    const fields = (kind: DocumentKind) =>
      Object.keys(chunk('# Pets\n', 'markdown', kind)[0] ?? {});
    expect(fields('prose').filter((field) => !fields('page').includes(field))).toEqual([
      'start_line',
      'end_line',
      'before',
      'after',
    ]);
  });

  it('of a page name the mark in force at their first line', () => {
    const text =
      'Before.\nAll.\n# Pets\n\nAll of them.\n\n## Cats\n\nThey purr.\n\n## Dogs\n\nThey bark.\n';
    const marks = [
      { row: 2, fragment: '#pets' },
      { row: 6, fragment: '#cats' },
      { row: 10, fragment: null },
    ];
    const chunks = chunker.chunk({ path: 'a', kind: 'page', language: 'markdown', text, marks });
    expect(chunks.map(({ symbol, fragment }) => [symbol, fragment])).toEqual([
      [undefined, undefined],
      ['Pets', '#pets'],
      ['Pets > Cats', '#cats'],
      ['Pets > Dogs', undefined],
    ]);
  });

  it('of a page never cross a mark that breaks, and keep their heading behind it', () => {
    const text = '# Pets\nAll of them.\nThey eat,\nand sleep.\n## Cats\n# Next\nEnd.\n';
    const marks = [1, 2, 3].map((page, at) => ({
      row: [0, 2, 5][at] as number,
      fragment: `#page=${page}`,
    }));
    const cut = (breaks: boolean) =>
      chunker
        .chunk({
          path: 'a',
          kind: 'page',
          language: 'markdown',
          text,
          marks: marks.map((mark) => ({ ...mark, ...(breaks && { breaks }) })),
        })
        .map(({ symbol, fragment, content }) => [symbol, fragment, content]);
    expect(cut(true)).toEqual([
      ['Pets', '#page=1', '# Pets\nAll of them.'],
      ['Pets', '#page=2', 'They eat,\nand sleep.'],
      ['Pets > Cats', '#page=2', '## Cats'],
      ['Next', '#page=3', '# Next\nEnd.'],
    ]);
    expect(cut(false)).toEqual([
      ['Pets', '#page=1', '# Pets\nAll of them.\nThey eat,\nand sleep.'],
      ['Next', '#page=2', '## Cats\n# Next\nEnd.'],
    ]);
  });

  it('of a page have the headings that its format reports, and none that its text imitates', () => {
    const text =
      '# Pets\n\nThey\n==\neat.\n\nclass Cat\n\nPurrs\nand sleeps.\n\nAll of them\nare fine.\n';
    const headings = [
      { row: 0, level: 1, title: 'Pets' },
      { row: 6, level: 2, title: 'Cat' },
      { row: 11, level: 2, title: null },
    ];
    const chunks = chunker.chunk({ path: 'a', kind: 'page', language: 'markdown', text, headings });
    expect(chunks.map(({ symbol, content }) => [symbol, content.split('\n')[0]])).toEqual([
      ['Pets', '# Pets'],
      ['Pets > Cat', 'class Cat'],
      ['Pets', 'All of them'],
    ]);
  });

  it('of a page keep a fenced block whole, blank lines and all, up to the hard limit', () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, at) => `call(${at})\n`).join('\n');
    const cut = (code: string, kind: DocumentKind) =>
      chunk(
        `# Use\n\n${'Some words. '.repeat(60)}\n\n\`\`\`js\n${code}\`\`\`\n\nEnd.\n`,
        'markdown',
        kind,
      ).map(({ content }) => content.includes(`\`\`\`js\n${code}\`\`\``));
    expect(cut(words(130), 'page')).toEqual([false, true]);
    expect(cut(words(130), 'prose')).not.toContain(true);
    expect(cut(words(400), 'page')).not.toContain(true);
  });

  it('are cut from a file whose end would trap a scanner in an endless loop', () => {
    expect(chunk('val a = 1\n@Name', 'kotlin').map(({ content }) => content)).toEqual([
      'val a = 1\n@Name',
    ]);
  });

  it('keep a long doc comment whole, with the head of what it documents', () => {
    const comment = `/**\n${' * Says what it does and why it does so.\n'.repeat(50)} */`;
    const body = '  call(one, two, three);\n'.repeat(100);
    const text = `const before = 1;\n\n${comment}\nexport function documented() {\n${body}}\n`;
    const chunks = chunk(text, 'typescript');
    const holder = chunks.find(({ content }) => content.includes(comment));
    expect(holder?.content).toContain('export function documented() {');
    expect(holder).toMatchObject({ symbol: 'documented', defs: ['documented'] });
    expect(chunks.at(-1)).toMatchObject({ symbol: 'documented', defs: [] });
  });

  it('of a doc comment that is too long for one chunk have the symbol of its definition', () => {
    const line = '   * Says what it does and why it does so.\n';
    const method = (name: string, lines: number) =>
      `  /**\n${line.repeat(lines)}   */\n  ${name}() {\n    work();\n  }\n`;
    const text = `class Service {\n${method('one', 200)}\n${method('two', 200)}}\n`;
    const inComments = chunk(text, 'typescript').filter(({ defs }) => defs.length === 0);
    const symbols = inComments.map(({ symbol }) => symbol);
    expect(symbols.length).toBeGreaterThan(6);
    expect(new Set(symbols)).toEqual(new Set(['Service.one', 'Service.two']));
    expect(symbols).toEqual(symbols.toSorted());
  });

  it('of a long comment before a blank line have no symbol', () => {
    const comment = `/**\n${' * About the whole file and nothing below.\n'.repeat(200)} */`;
    const chunks = chunk(`${comment}\n\nexport function below() {}\n`, 'typescript');
    const inComment = chunks.filter(({ defs }) => defs.length === 0);
    expect(inComment.length).toBeGreaterThan(3);
    expect(inComment.every(({ symbol }) => symbol === undefined)).toBe(true);
  });

  it('keep a docstring whole, with the line that it belongs to', () => {
    const docstring = `    """${'Says what it does and why it does so.\n    '.repeat(50)}"""`;
    const body = '    call(one, two, three)\n'.repeat(100);
    const chunks = chunk(
      `class A:\n  x = 1\n\ndef documented(a):\n${docstring}\n${body}`,
      'python',
    );
    const holder = chunks.find(({ content }) => content.includes(docstring));
    expect(holder?.content).toContain('def documented(a):');
    expect(holder).toMatchObject({ symbol: 'documented' });
  });

  it('never separate a comment or decorator from the definition below it', () => {
    const method = (name: string) =>
      `  /** ${name} does it. */\n  @Get()\n  ${name}() {\n${'    work();\n'.repeat(60)}  }\n\n`;
    const text = `class Service {\n${['one', 'two', 'three', 'four'].map(method).join('')}}\n`;
    for (const { content } of chunk(text, 'typescript')) {
      for (const name of ['one', 'two', 'three', 'four']) {
        expect(content.includes(`${name} does it.`)).toBe(content.includes(`${name}() {`));
      }
    }
  });

  it('of a file whose parse takes too long are cut by lines, and counted', async () => {
    const hasty = await createChunker({ grammarsDirectory: GRAMMARS, parseMilliseconds: -1 });
    const text = 'const a = [1, 2, 3];\n'.repeat(2_000);
    const chunks = hasty.chunk({ path: 'a', kind: 'code', language: 'typescript', text });
    expect(hasty.parseTimeouts).toBe(1);
    expect(chunks.every(({ defs }) => defs.length === 0)).toBe(true);
    expect(chunks.map(({ content }) => `${content}\n`).join('')).toBe(text);
    expect(
      hasty.chunk({ path: 'a', kind: 'code', language: 'typescript', text: 'let a' }),
    ).toHaveLength(1);
    hasty.close();
  });

  it.each([
    // The library compares each token of a broken tree with all later ones, long after the parse.
    ['a broken tree', 'typescript', `x = ${'(\n'.repeat(64 * 1024)}`],
    // A predicate reads the text of each definition, with all the definitions inside.
    [
      'definitions within one another',
      'zig',
      `${'const A=struct{\n'.repeat(DEEP)}${'};\n'.repeat(DEEP)}`,
    ],
  ])(
    'of a file whose definitions take too long to find are cut by lines: %s',
    async (_, language, text) => {
      const hasty = await createChunker({ grammarsDirectory: GRAMMARS, parseMilliseconds: 150 });
      let chunks: readonly Chunk[] = [];
      const used = threadMilliseconds(() => {
        chunks = hasty.chunk({ path: 'a', kind: 'code', language, text });
      });
      expect(hasty.parseTimeouts).toBe(1);
      expect(used).toBeLessThan(1_500);
      expect(
        chunks
          .map(({ content }) => content)
          .join('\n')
          .trimEnd(),
      ).toBe(text.trimEnd());
      hasty.close();
    },
  );

  it('count the tokens of lines of any length, special markers as plain text', () => {
    const [marker] = chunk('const a = "<|endoftext|>";\n', 'typescript');
    expect(marker?.token_count).toBeGreaterThan(6);
    const pieces = chunk('x'.repeat(10_000), 'text', 'lines');
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.every(({ start_line, end_line }) => start_line === 1 && end_line === 1)).toBe(
      true,
    );
    expect(pieces.map(({ content }) => content).join('')).toBe('x'.repeat(10_000));
  });

  it('of prose carry the trail of headings, and a fence holds none', () => {
    const text = '# Guide\n\n## Install\n\n```sh\n# not a heading\n```\n\n## Use\n\nRun it.\n';
    expect(
      chunk(text, 'markdown', 'prose').map(({ start_line, end_line, symbol }) => [
        start_line,
        end_line,
        symbol,
      ]),
    ).toEqual([
      [1, 7, 'Guide > Install'],
      [9, 11, 'Guide > Use'],
    ]);
  });

  it('of a component are one when it is small, else its scripts and its markup apart', () => {
    const script = '<script>\nexport const a = 1;\nfunction go() {\n  return a;\n}\n</script>\n';
    const small = chunker.chunk({
      path: 'src/Menu.vue',
      kind: 'code',
      language: 'vue',
      text: `<p/>\n${script}`,
    });
    expect(small).toHaveLength(1);
    expect(small[0]).toMatchObject({ symbol: 'Menu', defs: ['Menu', 'a', 'go'], language: 'vue' });
    const markup = `<ul>\n${'  <li>{{ item }}</li>\n\n'.repeat(80)}</ul>\n`;
    const large = chunker.chunk({
      path: 'src/Menu.vue',
      kind: 'code',
      language: 'vue',
      text: markup + script,
    });
    expect(large.at(-1)).toMatchObject({
      content: script.trimEnd(),
      symbol: 'Menu.go',
      defs: ['a', 'go'],
    });
    expect(large.slice(0, -1).map(({ symbol }) => symbol)).toEqual(['Menu', 'Menu']);
  });

  it('of a long function name it to its end where signature and body are siblings', () => {
    const dart = `String first() => 'a';\n\nvoid second() {\n${'  print(first());\n'.repeat(200)}}\n`;
    const [opening, ...rest] = chunk(dart, 'dart');
    expect(opening).toMatchObject({ defs: ['first', 'second'] });
    expect(rest.length).toBeGreaterThan(1);
    expect(new Set(rest.map(({ symbol }) => symbol))).toEqual(new Set(['second']));
  });

  it('of clauses name one definition, and keep its signature with the first', () => {
    const clauses = Array.from({ length: 90 }, (_, at) => `code ${at} = "number ${at}"`).join('\n');
    const haskell = `module A where\n\n${'-- filler\n'.repeat(130)}\ncode :: Int -> String\n${clauses}\n`;
    const chunks = chunk(haskell, 'haskell').filter(({ content }) => content.includes('number'));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks[0]?.content).toContain('code :: Int -> String');
    expect(chunks.map(({ symbol }) => symbol)).toEqual(chunks.map(() => 'code'));
    expect(chunks.flatMap(({ defs }) => defs)).toEqual(['code']);
  });
});
