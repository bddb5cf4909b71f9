import type { FetchedDocument } from '#ingest';

/** A family of documents that are cheap to write and meant to be dear to read, of any size. */
export interface DocumentShape {
  readonly name: string;
  readonly kind: 'file' | 'page' | 'html';
  readonly path: string;
  /** @param size about how many characters. */
  readonly text: (size: number) => string;
}

/** A document of a shape as a fetcher hands it to the parse stage. */
export function documentOf({ kind, path, text }: DocumentShape, size: number): FetchedDocument {
  return { kind, path, named: true, bytes: Buffer.from(text(size)) };
}

const fill = (unit: string, size: number): string =>
  unit.repeat(Math.max(1, Math.floor(size / unit.length)));

function html(name: string, text: DocumentShape['text']): DocumentShape {
  return { name: `HTML: ${name}`, kind: 'html', path: 'https://example.com/page', text };
}

function file(name: string, path: string, text: DocumentShape['text']): DocumentShape {
  return { name: `${path.replace(/^.*\./, '')}: ${name}`, kind: 'file', path, text };
}

const inside = (before: string, unit: string, after = '') => {
  return (size: number): string => before + fill(unit, size - before.length - after.length) + after;
};
/** Half of the size in front, half behind: a long thing, and many that lead back to it. */
const both = (before: string, first: string, between: string, second: string, after = '') => {
  return (size: number): string =>
    before + fill(first, size / 2) + between + fill(second, size / 2) + after;
};

const HTML_SHAPES: readonly DocumentShape[] = [
  html('definitions within one another', inside('', '<dl><dt>')),
  html('definitions next to each other', inside('<dl>', '<dt>a<dd>b')),
  html('open elements', inside('', '<div>')),
  html('open and closed elements', inside('', '<b><i></b>')),
  html('stray ends', inside('<p>', '</div>')),
  html('open headings', inside('', '<h1>')),
  html('headings with text', inside('', '<h2>a</h2>')),
  html(
    'headings in a parent of many classes',
    both('<div class="', 'a b-note ', '">', '<h2>a</h2>'),
  ),
  html(
    'code blocks in a parent of many classes',
    both('<div class="', 'a b ', '">', '<pre>a</pre>'),
  ),
  html('a heading of signs', inside('<h2>', '#', 'x</h2>')),
  html('links of signs in a heading', inside('<h2>', '<a href="#a">#</a>', 'x</h2>')),
  html('backticks in code', inside('<pre>', '` ', '</pre>')),
  html('backticks and blanks', inside('<p>', '<code> </code>')),
  html('blanks', inside('<p>', ' &nbsp;', 'x')),
  html('entities', inside('<p>', '&amp;')),
  html('rows of a table', inside('<table>', '<tr><td>a')),
  html('wide cells', inside('<table>', '<tr><td colspan=9999>a')),
  html('tables within one another', inside('', '<table><tr><td>')),
  html('lists within one another', inside('', '<ul><li>')),
  html('quotes within one another', inside('', '<blockquote>')),
  html('lines in deep lists', both('', '<ol><li>', '', 'a<br>')),
  html('attributes', inside('<p ', 'a=b ', '>x')),
  html('one long attribute', inside('<p id="', 'a', '">x')),
  html('styles', inside('<p style="', '; ', 'display">x')),
  html('places', inside('', '<a name="a">a</a>')),
  html('links of one page', inside('<ul>', '<li><a href="#a">a</a>', '</ul>')),
  html('noise in noise', inside('', '<div class="sidebar">')),
  html('main in main', inside('', '<main>a')),
  html('comments that never end', inside('<p>a', '<!--')),
  html('titles', inside('', '<title>a')),
  html('scripts', inside('', '<script>')),
  html('less-than signs', inside('<p>', '<')),
];

const TEXT_SHAPES: readonly DocumentShape[] = [
  file('headings', 'a.md', inside('', '# a\n')),
  file('open links in headings', 'a.md', inside('', `# ${'['.repeat(400)}\n`)),
  file('one line', 'a.md', inside('', 'word ')),
  file('fences that never close', 'a.md', inside('', '```a\n')),
  file('quotes', 'a.md', inside('', '>')),
  file('underlines', 'a.rst', inside('', 'a\n===\n')),
  file('blank lines', 'a.md', inside('a\n', '\n', 'b')),
  file('one line of punctuation', 'a.txt', inside('', '-')),
  file('one line of letters', 'a.txt', inside('', 'a')),
  file('one line of blanks', 'a.txt', inside('a', ' ', 'b')),
  file('emoji', 'a.txt', inside('', '👩‍👩‍👧‍👦')),
  file('combining marks', 'a.txt', inside('a', '\u0301')),
  file('names of secrets', 'a.txt', inside('', 'secret=')),
  file('keys that begin', 'a.txt', inside('', '-----BEGIN PRIVATE KEY-----\n')),
  file('tokens cut short', 'a.txt', inside('', 'eyJaaaaaaaaa.eyJ')),
  file('addresses with a colon', 'a.txt', inside('', '://a:')),
  file('settings', 'prod.env', inside('', 'KEY')),
  file('settings of blanks', 'prod.env', inside('', ' KEY ')),
  file('one long line of characters that are escaped', 'a.proto', inside('"', '\\"')),
  file('blanks after a bracket', 'a.graphql', inside('  a(', ' ')),
  file('definitions further and further in', 'a.proto', (size) => {
    const depth = Math.floor(Math.sqrt(size));
    return Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}message A {`).join('\n');
  }),
  file('comments that never end', 'a.sql', inside('', '/*;')),
  file('quotes that never end', 'a.sql', inside('', "$a$;'")),
  file('dollars', 'a.sql', inside('', '$a')),
  file('scripts that never end', 'a.vue', inside('', '<script>\n')),
];

const JSON_SHAPES: readonly DocumentShape[] = [
  file('open arrays', 'a.json', inside('', '[\n')),
  file('open objects', 'a.json', inside('', '{"a":\n')),
  file('one line', 'a.json', inside('[', '1,', '1]')),
  file('open maps', 'a.yaml', inside('', '{a: \n')),
  file('dashes', 'a.yaml', inside('', '- ')),
  file('anchors', 'a.yaml', inside('', 'a: &a *a\n')),
];

const CODE_SHAPES: readonly DocumentShape[] = [
  file('open brackets', 'a.ts', inside('x = ', '(\n')),
  file('open templates', 'a.ts', inside('x = ', '`${\n')),
  file('types within one another', 'a.ts', inside('type A = ', 'A<\n')),
  file('operators', 'a.ts', inside('x = 1', ' + 1')),
  file('comments', 'a.ts', inside('', '/** a */ ')),
  file('functions within one another', 'a.ts', inside('', 'function a() {\n')),
  file('open calls', 'a.py', inside('', 'f(\n')),
  file('blocks further and further in', 'a.py', (size) => {
    const depth = Math.floor(Math.sqrt(size));
    return Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}if a:`).join('\n');
  }),
  file('decorators', 'a.py', inside('', '@a\n')),
  file('templates', 'a.cpp', inside('', 'a<')),
  file('directives', 'a.c', inside('', '#if a\n')),
  file('macros', 'a.rs', inside('', 'a!(')),
  file('here documents', 'a.sh', inside('', 'cat <<A\n')),
  file('interpolations', 'a.rb', inside('', '"#{')),
  file('indents', 'a.hs', inside('', 'a = do\n ')),
  file('markers', 'a.scala', inside('', 'a { ')),
];

/** Every shape that the parse and the chunk stage meet in threads. */
export const DOCUMENT_SHAPES: readonly DocumentShape[] = [
  ...HTML_SHAPES,
  ...TEXT_SHAPES,
  ...JSON_SHAPES,
  ...CODE_SHAPES,
];
