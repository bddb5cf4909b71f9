import { isStageFailure, StageFailure } from '#contracts';
import type { TimeSlices } from '#platform';

import { decodedBody } from '../web/decode-body.js';
import { networkFailure } from '../web/web-failure.js';
import { isSameHost, pageUrl } from './page-url.js';
import { MOST_SITEMAPS, parseSitemap, type Sitemap, type SitemapBudget } from './parse-sitemap.js';
import type { PoliteClient } from './polite-client.js';
import type { RobotRules } from './robots.js';

const MAX_BYTES = 50 * 1024 * 1024;
/** Most bytes of all sitemaps of one sync together, uncompressed. */
const MAX_BYTES_IN_ALL = 128 * 1024 * 1024;
/** An index names sitemaps, or indexes of them. */
const MOST_NESTING = 2;

export interface SitemapOptions {
  readonly client: PoliteClient;
  readonly robots: RobotRules;
  /** URL of the source. */
  readonly root: string;
  readonly isInSite: (page: string) => boolean;
  /** Bound of the listed pages: at most one more than this is listed. */
  readonly most: number;
  readonly slices: TimeSlices;
}

export interface SitemapPages {
  readonly pages: readonly string[];
  /** Sitemaps that were skipped or read in part because of a bound on their size or number. */
  readonly beyondLimit: number;
}

/**
 * Returns the pages that a site's sitemaps list, in their order. The sitemaps are those that
 * robots.txt names, else `/sitemap.xml`. Sitemaps and pages of other hosts are left out. @throws
 * StageFailure if there is no sitemap.
 */
export async function sitemapPages(options: SitemapOptions): Promise<SitemapPages> {
  const { client, robots, root, isInSite, most, slices } = options;
  const { origin } = new URL(root);
  const named = await robots.sitemaps(root);
  const pages = new Set<string>();
  const waiting = new WaitingSitemaps(root);
  for (const url of named.length > 0 ? named : [`${origin}/sitemap.xml`]) waiting.add(url, 0);
  const budget = { bytes: MAX_BYTES_IN_ALL };
  let found = 0;
  let cut = 0;
  for (const { url, nesting } of waiting.inOrder()) {
    if (pages.size > most) break;
    const sitemap = await readSitemap(client, url, budget, slices);
    if (!sitemap) continue;
    found += 1;
    if (sitemap.isCut) cut += 1;
    for (const inner of nesting < MOST_NESTING ? sitemap.sitemaps : []) {
      if (slices.isUsedUp) await slices.pause();
      waiting.add(inner, nesting + 1);
    }
    for (const text of sitemap.pages) {
      if (slices.isUsedUp) await slices.pause();
      const page = pageUrl(text);
      if (page !== undefined && isInSite(page)) pages.add(page);
      if (pages.size > most) break;
    }
  }
  if (found === 0) {
    const message = `${root} has no sitemap: neither robots.txt names one nor is there a /sitemap.xml`;
    throw new StageFailure(message, false, { url: root });
  }
  return { pages: [...pages], beyondLimit: cut + waiting.beyondLimit };
}

interface WaitingSitemap {
  readonly url: string;
  readonly nesting: number;
}

/** Sitemaps of one host, each once. */
class WaitingSitemaps {
  private readonly all: WaitingSitemap[] = [];
  private readonly seen = new Set<string>();
  beyondLimit = 0;

  constructor(private readonly root: string) {}

  add(url: string, nesting: number): void {
    if (this.seen.has(url) || !isSameHost(url, this.root)) return;
    if (this.all.length >= MOST_SITEMAPS) {
      this.beyondLimit += 1;
      return;
    }
    this.seen.add(url);
    this.all.push({ url, nesting });
  }

  /** Returns the sitemaps in order, including those added during the iteration. */
  *inOrder(): Generator<WaitingSitemap> {
    for (let at = 0; at < this.all.length; at += 1) yield this.all[at] as WaitingSitemap;
  }
}

/** Reads a sitemap; undefined if there is none. */
async function readSitemap(
  client: PoliteClient,
  url: string,
  budget: SitemapBudget,
  slices: TimeSlices,
): Promise<Sitemap | undefined> {
  try {
    const answer = await client.get(url, {
      maxBytes: MAX_BYTES,
      accept: 'application/xml, text/xml, */*;q=0.5',
    });
    return answer.kind === 'document'
      ? await parseSitemap(unzipped(url, answer.bytes), budget, slices)
      : undefined;
  } catch (error) {
    if (isStageFailure(error) && error.details?.status_code !== undefined && !error.retryable)
      return undefined;
    throw error;
  }
}

/**
 * Returns the content of a file that may itself be compressed, as `.xml.gz` is; unpacks it while
 * reading.
 */
async function* unzipped(url: string, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    yield bytes;
    return;
  }
  try {
    yield* decodedBody(once(bytes), 'gzip', MAX_BYTES);
  } catch (error) {
    throw networkFailure(url, error, 0);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
