import { Parser } from 'htmlparser2';

import type { TimeSlices } from '#platform';

/** Bound of the format for one file. */
const MOST_URLS = 50_000;
export const MOST_SITEMAPS = 500;
const DEEPEST = 16;
/** Longest address of a page, in characters. */
const LONGEST_URL = 2_048;
/** Bytes between two checks of the clock: about a millisecond of parsing. */
const BLOCK_BYTES = 4_096;

export interface Sitemap {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
  /** True if reading ended before the content did. */
  readonly isCut: boolean;
}

/** Bytes that may still be read, shared by the sitemaps of a sync. */
export interface SitemapBudget {
  bytes: number;
}

/** Takes text piece by piece. */
interface SitemapReader {
  readonly pages: string[];
  readonly sitemaps: string[];
  /** Whether nothing that follows is needed. */
  readonly isDone: boolean;
  write(text: string): void;
  end(): void;
}

/**
 * Reads a sitemap, a sitemap index or a plain list, and yields to the event loop whenever a slice
 * is used up. Reading ends with the last address that the format allows, or with the budget.
 * Entities other than those of XML have no meaning here.
 */
export async function parseSitemap(
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  budget: SitemapBudget,
  slices: TimeSlices,
): Promise<Sitemap> {
  const decoder = new TextDecoder();
  let reader: SitemapReader | undefined;
  for await (const part of content) {
    for (let at = 0; at < part.byteLength; at += BLOCK_BYTES) {
      if (slices.isUsedUp) await slices.pause();
      const block = part.subarray(at, at + BLOCK_BYTES);
      if (budget.bytes < block.byteLength || reader?.isDone) return resultOf(reader, true);
      budget.bytes -= block.byteLength;
      const text = decoder.decode(block, { stream: true });
      reader ??= readerOf(text);
      reader?.write(text);
    }
  }
  reader?.end();
  return resultOf(reader, reader?.isDone === true);
}

function resultOf(reader: SitemapReader | undefined, isCut: boolean): Sitemap {
  return { pages: reader?.pages ?? [], sitemaps: reader?.sitemaps ?? [], isCut };
}

/** Returns the reader for a text; undefined while there is only white space. */
function readerOf(text: string): SitemapReader | undefined {
  const first = /[^\s\uFEFF]/.exec(text)?.[0];
  if (first === undefined) return undefined;
  return first === '<' ? new XmlReader() : new ListReader();
}

/** Reads a list with one address a line. */
class ListReader implements SitemapReader {
  readonly pages: string[] = [];
  readonly sitemaps: string[] = [];
  isDone = false;
  private line = '';

  write(text: string): void {
    const [rest = '', ...lines] = text.split('\n');
    this.extend(rest);
    for (const line of lines) {
      this.end();
      this.extend(line);
    }
  }

  end(): void {
    const url = this.line.replace(/^\uFEFF/, '').trim();
    if (url !== '' && this.line.length <= LONGEST_URL) {
      if (this.pages.length < MOST_URLS) this.pages.push(url);
      else this.isDone = true;
    }
    this.line = '';
  }

  private extend(text: string): void {
    if (this.line.length <= LONGEST_URL) this.line += text;
  }
}

class XmlReader implements SitemapReader {
  readonly pages: string[] = [];
  readonly sitemaps: string[] = [];
  isDone = false;
  private readonly open: string[] = [];
  private location: string | undefined;
  private readonly parser: Parser;

  constructor() {
    // Without `onopentag` the parser keeps no attributes, of which there may be any number.
    const handler = {
      onopentagname: (name: string) => this.opened(name),
      ontext: (text: string) => this.extend(text),
      onclosetag: () => this.closed(),
    };
    this.parser = new Parser(handler, { xmlMode: true });
  }

  write(text: string): void {
    this.parser.write(text);
  }

  end(): void {
    // An element still open at the end names nothing.
  }

  private opened(name: string): void {
    this.open.push(name.slice(name.lastIndexOf(':') + 1));
    if (this.open.length > DEEPEST) {
      this.isDone = true;
      this.parser.pause();
    }
    if (this.open.at(-1) === 'loc') this.location = '';
  }

  private extend(text: string): void {
    if (this.location !== undefined && this.location.length <= LONGEST_URL) this.location += text;
  }

  private closed(): void {
    const around = this.open.at(-2);
    if (this.open.pop() !== 'loc' || this.location === undefined) return;
    const url = this.location.trim();
    this.location = undefined;
    if (url.length > LONGEST_URL) return;
    if (around === 'url') this.take(this.pages, url, MOST_URLS);
    if (around === 'sitemap') this.take(this.sitemaps, url, MOST_SITEMAPS);
  }

  private take(list: string[], url: string, most: number): void {
    if (list.length < most) list.push(url);
    else this.isDone = true;
  }
}
