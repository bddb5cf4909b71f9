import type { FetchedDocument } from '../fetch/fetcher.port.js';
import type { ParseResult } from '../parse/parsed-document.js';
import { decodeHtml } from './decode-html.js';
import { readTree } from './html-tree.js';
import { mainContent } from './main-content.js';
import { PageWalk } from './write-page.js';

/**
 * Returns an HTML page as Markdown: its content without the elements around it. Headings become
 * sections with places that a link can lead to; code and tables keep their form. Hidden elements
 * and the output of scripts are left out.
 */
export function parseHtml({ path, bytes, charset }: FetchedDocument): ParseResult {
  const tree = readTree(decodeHtml(bytes, charset));
  const page = new PageWalk(mainContent(tree)).write(tree.title);
  return { path, kind: 'page', language: 'markdown', ...page };
}
