import { describe, expect, it } from '@jest/globals';

import { readTree } from '#ingest/html/html-tree';
import { mainContent } from '#ingest/html/main-content';
import { parseHtml } from '#ingest/html/parse-html';
import { PageWalk } from '#ingest/html/write-page';
import { isSkipped } from '#ingest/parse/parsed-document';

import { CountedTree } from './counted-tree.js';
import { DOCUMENT_SHAPES, documentOf, type DocumentShape } from './document-shapes.js';

const SIZE = 6_000;
const TIMES = 8;
const PAGES = DOCUMENT_SHAPES.filter(({ kind }) => kind === 'html').map(
  (shape) => [shape.name, shape] as const,
);

function readsOf(shape: DocumentShape, size: number): number {
  const counted = new CountedTree(readTree(shape.text(size)));
  new PageWalk(mainContent(counted.tree)).write('Title');
  return counted.reads;
}

function parsedText(html: string): string {
  const parsed = parseHtml({
    path: 'https://example.com/',
    kind: 'html',
    bytes: Buffer.from(html),
  });
  return isSkipped(parsed) ? '' : parsed.text;
}

describe('hostile pages', () => {
  it.each(PAGES)('reads no more of a page than in line with its size: %s', (_, shape) => {
    const reads = readsOf(shape, SIZE);
    expect(readsOf(shape, TIMES * SIZE)).toBeLessThan((TIMES + 1) * reads + 1_000);
  });

  it.each(PAGES)('writes a bounded multiple of a page: %s', (_, shape) => {
    const parsed = parseHtml(documentOf(shape, SIZE));
    expect(isSkipped(parsed) ? 0 : parsed.text.length).toBeLessThan(10 * SIZE);
  });

  it('reads tables of more rows, and code of more backticks, than a function takes arguments', () => {
    const table = parsedText(`<table>${'<tr><td>a<td>b'.repeat(150_000)}</table>`);
    expect(table.match(/^\| a \| b \|$/gm)?.length).toBeGreaterThanOrEqual(150_000);
    expect(parsedText(`<pre>${'` '.repeat(150_000)}</pre>`)).toMatch(/^```\n/);
  });
});
