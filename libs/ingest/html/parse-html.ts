import type { FetchedDocument } from '../fetch/fetcher.port.js';
import type { ParseResult } from '../parse/parsed-document.js';
import { decodeHtml } from './decode-html.js';
import { readTree } from './html-tree.js';
import { mainContent } from './main-content.js';
import { PageWalk } from './write-page.js';

/**
 * A page of HTML as Markdown: its content without what stands around it, its headings as sections
 * with the places that a reader can be sent to, code and tables kept as such. What is hidden, and
 * what scripts would make of it, is no part of it.
 */
export function parseHtml({ path, bytes, charset }: FetchedDocument): ParseResult {
  const tree = readTree(decodeHtml(bytes, charset));
  const page = new PageWalk(mainContent(tree)).write(tree.title);
  return { path, kind: 'page', language: 'markdown', ...page };
}
