import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { ParserOptions } from 'prettier';
import { parsers } from 'prettier/plugins/markdown';

/** A link of a page that leads into the repository. */
export interface PageLink {
  /** The link as the page has it: `../search.md#terms`. */
  readonly url: string;
  readonly text: string;
  /** Path of the file or folder from the root of the repository. */
  readonly target: string;
  /** The part after `#`; empty where the link has none. */
  readonly anchor: string;
}

/** A Markdown page of the repository. */
export interface MarkdownPage {
  /** From the root of the repository. */
  readonly path: string;
  readonly links: readonly PageLink[];
  /** Anchors of the headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly Node[];
}

const WITH_URL = new Set(['link', 'image', 'definition']);
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

/** Reads a page with the Markdown parser of Prettier; links in code are text. */
export function readMarkdownPage(path: string): MarkdownPage {
  const root = parsers.markdown.parse(readFileSync(path, 'utf8'), {} as ParserOptions) as Node;
  const nodes = [...below(root)];
  const links = nodes
    .filter(({ type, url = '' }) => WITH_URL.has(type) && !ABSOLUTE.test(url))
    .map((node) => linkOf(node, path));
  return {
    path,
    links,
    anchors: anchorsOf(nodes.filter(({ type }) => type === 'heading').map(textOf)),
  };
}

function linkOf(node: Node, page: string): PageLink {
  const url = node.url ?? '';
  const [file = '', anchor = ''] = url.split('#');
  const target = file === '' ? page : join(dirname(page), decodeURIComponent(file));
  return { url, text: textOf(node), target, anchor };
}

function* below(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children ?? []) yield* below(child);
}

function textOf(node: Node): string {
  return [...below(node)].map(({ value = '' }) => value).join('');
}

/** Headings of the same text are numbered from the second on. */
function anchorsOf(headings: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = headings.map((heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
}
