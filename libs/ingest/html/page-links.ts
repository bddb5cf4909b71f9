import { decodeHtml } from './decode-html.js';
import { isElement, readTree } from './html-tree.js';
import { pageUrl } from './page-url.js';

const MOST_LINKS = 20_000;

/** What a page says to whoever crawls it. */
export interface PageLinks {
  /** Pages that it links to and lets be followed, each once. */
  readonly links: readonly string[];
  /** The URL that it calls its own. */
  readonly canonical: string | undefined;
  /** It asks not to be indexed. */
  readonly noindex: boolean;
}

/** Reads the links of a page. @param url that it came from. */
export function pageLinks(bytes: Uint8Array, charset: string | undefined, url: string): PageLinks {
  const { nodes } = readTree(decodeHtml(bytes, charset));
  const links = new Set<string>();
  let base: string | undefined;
  let canonical: string | undefined;
  let robots = '';
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const { name, attributes } = node;
    const { href, rel = '' } = attributes;
    if (name === 'meta' && attributes['name']?.toLowerCase() === 'robots') {
      robots += `,${attributes['content']?.toLowerCase() ?? ''}`;
    }
    if (href === undefined) continue;
    if (name === 'base') base ??= pageUrl(href, url);
    else if (name === 'link' && rel.toLowerCase() === 'canonical') canonical ??= pageUrl(href, base ?? url);
    else if ((name === 'a' || name === 'area') && !/\bnofollow\b/i.test(rel) && links.size < MOST_LINKS) {
      const link = pageUrl(href, base ?? url);
      if (link !== undefined) links.add(link);
    }
  }
  const asks = robots.split(/[\s,]+/);
  const none = asks.includes('none');
  return {
    links: none || asks.includes('nofollow') ? [] : [...links],
    canonical,
    noindex: none || asks.includes('noindex'),
  };
}
