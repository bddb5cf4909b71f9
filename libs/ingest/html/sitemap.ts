import { Parser } from 'htmlparser2';

import { isStageFailure, StageFailure } from '#contracts';

import { decodedBody } from '../web/decode-body.js';
import { networkFailure } from '../web/web-failure.js';
import { isSameHost, pageUrl } from './page-url.js';
import type { PoliteClient } from './polite-client.js';
import type { RobotRules } from './robots.js';

const MAX_BYTES = 50 * 1024 * 1024;
/** Of one file, as the format has it. */
const MOST_URLS = 50_000;
const MOST_SITEMAPS = 500;
/** An index names sitemaps, or indexes of them. */
const MOST_NESTING = 2;
const DEEPEST = 16;

export interface SitemapOptions {
  readonly client: PoliteClient;
  readonly robots: RobotRules;
  /** URL of the source. */
  readonly root: string;
  readonly isInSite: (page: string) => boolean;
  /** No more than one above this are listed. */
  readonly most: number;
}

/**
 * The pages of a site that its sitemaps list, in their order: those that robots.txt names, else `/sitemap.xml`. Sitemaps
 * and pages of other hosts are left out.
 *
 * @throws StageFailure when there is no sitemap.
 */
export async function sitemapPages({ client, robots, root, isInSite, most }: SitemapOptions): Promise<string[]> {
  const { origin } = new URL(root);
  const named = await robots.sitemaps(root);
  const first = named.length > 0 ? named : [`${origin}/sitemap.xml`];
  const pages = new Set<string>();
  const seen = new Set<string>();
  let waiting = first.map((url) => ({ url, nesting: 0 }));
  let found = 0;
  while (waiting.length > 0 && pages.size <= most) {
    const [{ url, nesting }, ...rest] = waiting as [(typeof waiting)[number], ...typeof waiting];
    waiting = rest;
    if (!isSameHost(url, root) || seen.has(url) || seen.size >= MOST_SITEMAPS) continue;
    seen.add(url);
    const sitemap = await readSitemap(client, url);
    if (!sitemap) continue;
    found += 1;
    if (nesting < MOST_NESTING)
      waiting.push(...sitemap.sitemaps.map((inner) => ({ url: inner, nesting: nesting + 1 })));
    for (const text of sitemap.pages) {
      const page = pageUrl(text);
      if (page !== undefined && isInSite(page)) pages.add(page);
      if (pages.size > most) break;
    }
  }
  if (found === 0) {
    const message = `${root} has no sitemap: neither robots.txt names one nor is there a /sitemap.xml`;
    throw new StageFailure(message, false, { url: root });
  }
  return [...pages];
}

interface Sitemap {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
}

/** Undefined where there is none. */
async function readSitemap(client: PoliteClient, url: string): Promise<Sitemap | undefined> {
  try {
    const answer = await client.get(url, { maxBytes: MAX_BYTES, accept: 'application/xml, text/xml, */*;q=0.5' });
    if (answer.kind !== 'document') return undefined;
    return parseSitemap(Buffer.from(await unzipped(url, answer.bytes)).toString('utf8'));
  } catch (error) {
    if (isStageFailure(error) && error.details?.status_code !== undefined && !error.retryable) return undefined;
    throw error;
  }
}

/** A file that is itself compressed, as `.xml.gz` is. */
async function unzipped(url: string, bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decodedBody(once(bytes), 'gzip', MAX_BYTES)) parts.push(part);
  } catch (error) {
    throw networkFailure(url, error, 0);
  }
  return Buffer.concat(parts);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads a sitemap, an index of them, or a plain list. Entities other than those of XML itself mean nothing here. */
export function parseSitemap(text: string): Sitemap {
  const pages: string[] = [];
  const sitemaps: string[] = [];
  if (!/^[\s\uFEFF]*</.test(text)) {
    const lines = text.split('\n', MOST_URLS).map((line) => line.replace(/^\uFEFF/, '').trim());
    return { pages: lines.filter((line) => line !== ''), sitemaps };
  }
  const open: string[] = [];
  let location: string | undefined;
  const parser = new Parser(
    {
      onopentag(name) {
        open.push(name.replace(/^.*:/, ''));
        if (open.length > DEEPEST) parser.pause();
        if (open.at(-1) === 'loc') location = '';
      },
      ontext(part) {
        if (location !== undefined) location += part;
      },
      onclosetag() {
        const around = open.at(-2);
        if (open.pop() === 'loc' && location !== undefined) {
          if (around === 'url' && pages.length < MOST_URLS) pages.push(location.trim());
          if (around === 'sitemap' && sitemaps.length < MOST_SITEMAPS) sitemaps.push(location.trim());
          location = undefined;
        }
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  return { pages, sitemaps };
}
