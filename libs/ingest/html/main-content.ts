import {
  classesOf,
  type HtmlElement,
  type HtmlNode,
  type HtmlTree,
  isElement,
} from './html-tree.js';
import { isDropped, isNamedNoise } from './noise.js';

/** The part of a page that is its content. */
export interface MainContent {
  readonly nodes: readonly HtmlNode[];
  /** Places from the first to behind the last. */
  readonly first: number;
  readonly end: number;
  /** Whether an element is left out, with all in it. */
  isLeftOut(at: number): boolean;
}

/** Signs of the content, the surest first. */
const SIGNS: readonly ((element: HtmlElement) => boolean)[] = [
  ({ name, attributes }) =>
    name === 'main' || attributes['role'] === 'main' || attributes['itemprop'] === 'articleBody',
  ({ name }) => name === 'article',
  (element) => {
    const { id } = element.attributes;
    return (
      (id !== undefined && CONTENT.has(id.toLowerCase())) ||
      classesOf(element).some((word) => CONTENT.has(word))
    );
  },
];

const CONTENT: ReadonlySet<string> = new Set(
  `content main maincontent main-content bodycontent page-content pagecontent doc-content docs-content doc-body
  documentation body markdown-body markdown rst-content article-body article-content theme-doc-markdown entry-content
  post-content md-content md-content__inner content-body contentcontainer apicontent docs-body prose column1 textblock`
    .split(/\s+/)
    .filter(Boolean),
);

/** An element stands for what it is in when it has this share of its words outside of links. */
const MOST_OF_IT = 0.6;
/** Once content was found, a further sign must have this share of it. */
const NEARLY_ALL = 0.85;
/** An element with a larger share of the page than this is content, whatever its name. */
const TOO_MUCH_FOR_NOISE = 0.5;
/** A list with this many links within the page and little else is its table of contents. */
const FEWEST_TOC_LINKS = 3;
const TOC_SHARE = 0.8;

/**
 * Finds the content of a page: the element with the clearest sign that has most of the words. The
 * elements around the content are left out.
 */
export function mainContent({ nodes }: HtmlTree): MainContent {
  const left = new Uint8Array(nodes.length);
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (!isElement(node) || !isDropped(node)) continue;
    left[at] = 1;
    at = node.end - 1;
  }
  const words = new WordCounts(nodes, left);
  const page = { first: 0, end: nodes.length };
  let root: Range = page;
  for (const isSign of SIGNS)
    root = narrowed(nodes, left, words, root, root === page ? MOST_OF_IT : NEARLY_ALL, isSign);
  leaveOutNoise(nodes, left, words, root);
  return { nodes, ...root, isLeftOut: (at) => left[at] === 1 };
}

interface Range {
  readonly first: number;
  readonly end: number;
}

function narrowed(
  nodes: readonly HtmlNode[],
  left: Uint8Array,
  words: WordCounts,
  root: Range,
  share: number,
  isSign: (element: HtmlElement) => boolean,
): Range {
  const least = share * words.outsideLinks(root.first, root.end);
  let best = root;
  for (let at = root.first; at < root.end; at += 1) {
    const node = nodes[at];
    if (!isElement(node)) continue;
    if (left[at] === 1) {
      at = node.end - 1;
      continue;
    }
    if (!isSign(node)) continue;
    const own = words.outsideLinks(at, node.end);
    // No two siblings have this much: the last one is the innermost.
    if (own >= least && own > 0) best = { first: at, end: node.end };
  }
  return best;
}

function leaveOutNoise(
  nodes: readonly HtmlNode[],
  left: Uint8Array,
  words: WordCounts,
  root: Range,
): void {
  const total = words.all(root.first, root.end);
  for (let at = root.first; at < root.end; at += 1) {
    const node = nodes[at];
    if (!isElement(node) || at === root.first) continue;
    const own = words.all(at, node.end);
    const named = isNamedNoise(node) && own <= TOO_MUCH_FOR_NOISE * total;
    if (left[at] !== 1 && !named && !isContentsTable(words, at, node)) continue;
    left[at] = 1;
    at = node.end - 1;
  }
}

function isContentsTable(words: WordCounts, at: number, node: HtmlElement): boolean {
  if (node.name !== 'ul' && node.name !== 'ol') return false;
  return (
    words.linksWithin(at, node.end) >= FEWEST_TOC_LINKS &&
    words.inPageLinks(at, node.end) >= TOC_SHARE * words.all(at, node.end)
  );
}

/** Counts of letters between two places, computed without a search from prefix sums. */
class WordCounts {
  private readonly letters: Float64Array;
  private readonly linked: Float64Array;
  private readonly linkedWithin: Float64Array;
  private readonly linksBefore: Float64Array;

  constructor(nodes: readonly HtmlNode[], left: Uint8Array) {
    const size = nodes.length + 1;
    this.letters = new Float64Array(size);
    this.linked = new Float64Array(size);
    this.linkedWithin = new Float64Array(size);
    this.linksBefore = new Float64Array(size);
    let leftUntil = 0;
    let linkUntil = 0;
    let withinUntil = 0;
    for (let at = 0; at < nodes.length; at += 1) {
      const node = nodes[at] as HtmlNode;
      let count = 0;
      let links = 0;
      if (isElement(node)) {
        if (left[at] === 1) leftUntil = Math.max(leftUntil, node.end);
        const { href } = node.attributes;
        if (node.name === 'a' && href !== undefined) {
          linkUntil = node.end;
          if (href.startsWith('#')) {
            withinUntil = node.end;
            links = 1;
          }
        }
      } else if (at >= leftUntil) count = lettersOf(node);
      this.letters[at + 1] = (this.letters[at] as number) + count;
      this.linked[at + 1] = (this.linked[at] as number) + (at < linkUntil ? count : 0);
      this.linkedWithin[at + 1] =
        (this.linkedWithin[at] as number) + (at < withinUntil ? count : 0);
      this.linksBefore[at + 1] = (this.linksBefore[at] as number) + links;
    }
  }

  all(first: number, end: number): number {
    return between(this.letters, first, end);
  }

  /** Counts words of links as a fifth: a page may consist of a list of links. */
  outsideLinks(first: number, end: number): number {
    return this.all(first, end) - 0.8 * between(this.linked, first, end);
  }

  inPageLinks(first: number, end: number): number {
    return between(this.linkedWithin, first, end);
  }

  linksWithin(first: number, end: number): number {
    return between(this.linksBefore, first, end);
  }
}

function between(sums: Float64Array, first: number, end: number): number {
  return (sums[end] as number) - (sums[first] as number);
}

function lettersOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 32) count += 1;
  return count;
}
