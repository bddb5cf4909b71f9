import { Tokenizer } from 'htmlparser2';

import { TimeSlices } from '#platform';

import { decodeHtml } from './decode-html.js';
import { pageUrl } from './page-url.js';

const MOST_LINKS = 20_000;
/** Characters between two checks of the clock: a few hundred links at most. */
const BLOCK_CHARACTERS = 4_096;

/** Data of a page for crawlers. */
export interface PageLinks {
  /** Pages that it links to and allows to follow, each once. */
  readonly links: readonly string[];
  /** The URL that it calls its own. */
  readonly canonical: string | undefined;
  /** It asks not to be indexed. */
  readonly noindex: boolean;
}

/**
 * Reads the links of a page, a millisecond at a time; other work of the process runs in between.
 * @param url address of the page.
 */
export async function pageLinks(
  bytes: Uint8Array,
  charset: string | undefined,
  url: string,
  slices = new TimeSlices(),
): Promise<PageLinks> {
  const html = decodeHtml(bytes, charset);
  const scan = new LinkScan(html, url);
  const tokenizer = new Tokenizer({ decodeEntities: true }, scan);
  for (let at = 0; at < html.length; at += BLOCK_CHARACTERS) {
    if (slices.isUsedUp) await slices.pause();
    tokenizer.write(html.slice(at, at + BLOCK_CHARACTERS));
  }
  tokenizer.end();
  return scan.finish();
}

const READ: ReadonlySet<string> = new Set(['a', 'area', 'base', 'link', 'meta']);
const READ_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'rel', 'name', 'content']);

/** Takes tokens; their places count from the beginning of the page, however it is written. */
class LinkScan {
  private readonly links = new Set<string>();
  private base: string | undefined;
  private canonical: string | undefined;
  private robots = '';
  private name = '';
  private attributes: Partial<Record<string, string>> = {};
  private attribute = '';
  private value = '';

  constructor(
    private readonly html: string,
    private readonly url: string,
  ) {}

  finish(): PageLinks {
    const asks = this.robots.split(/[\s,]+/);
    const none = asks.includes('none');
    return {
      links: none || asks.includes('nofollow') ? [] : [...this.links],
      canonical: this.canonical,
      noindex: none || asks.includes('noindex'),
    };
  }

  onopentagname(start: number, end: number): void {
    this.name = end - start <= 4 ? this.html.slice(start, end).toLowerCase() : '';
    if (!READ.has(this.name)) this.name = '';
    this.attributes = {};
  }
  onattribname(start: number, end: number): void {
    this.attribute = this.name === '' ? '' : this.html.slice(start, end).toLowerCase();
    this.value = '';
  }
  onattribdata(start: number, end: number): void {
    if (READ_ATTRIBUTES.has(this.attribute)) this.value += this.html.slice(start, end);
  }
  onattribentity(codepoint: number): void {
    if (READ_ATTRIBUTES.has(this.attribute)) this.value += String.fromCodePoint(codepoint);
  }
  onattribend(): void {
    if (READ_ATTRIBUTES.has(this.attribute)) this.attributes[this.attribute] ??= this.value;
  }
  onopentagend(): void {
    if (this.name !== '') this.take(this.name, this.attributes);
  }
  onselfclosingtag(): void {
    this.onopentagend();
  }
  onclosetag(): void {
    // What an element holds does not matter here.
  }
  ontext(): void {
    // Nor do words.
  }
  ontextentity(): void {
    // Nor do words.
  }
  oncdata(): void {
    // Nor do words.
  }
  oncomment(): void {
    // Nor do words.
  }
  ondeclaration(): void {
    // Nor do words.
  }
  onprocessinginstruction(): void {
    // Nor do words.
  }
  onend(): void {
    // The caller knows.
  }

  private take(
    name: string,
    { href, rel = '', name: called, content }: Partial<Record<string, string>>,
  ): void {
    if (name === 'meta') {
      if (called?.trim().toLowerCase() === 'robots')
        this.robots += `,${content?.toLowerCase() ?? ''}`;
      return;
    }
    if (href === undefined) return;
    const around = this.base ?? this.url;
    if (name === 'base') this.base ??= pageUrl(href, this.url);
    else if (name === 'link') {
      if (rel.trim().toLowerCase() === 'canonical') this.canonical ??= pageUrl(href, around);
    } else if (!/\bnofollow\b/i.test(rel) && this.links.size < MOST_LINKS) {
      const link = pageUrl(href, around);
      if (link !== undefined) this.links.add(link);
    }
  }
}
