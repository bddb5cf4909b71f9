import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { isStageFailure, StageFailure } from '#contracts';
import { type Config, TimeSlices } from '#platform';

import type {
  FetchedDocument,
  Fetcher,
  FetchRequest,
  KnownDocument,
  SourceDocument,
  SourceSnapshot,
} from '../fetch/fetcher.port.js';
import { secretOfUrl } from '../redact/redact-urls.js';
import { FileSelector } from '../select/file-selector.js';
import { WebClient } from '../web/web-client.js';
import { type FetchedPage, fetchPage } from './page-fetch.js';
import { PageListing } from './page-listing.js';
import { PageStore } from './page-store.js';
import { pageUrl, patternPath, siteOf, sitePattern } from './page-url.js';
import { PoliteClient } from './polite-client.js';
import { RobotRules } from './robots.js';
import { sitemapPages } from './sitemap.js';

export type HtmlFetcherOptions = Config['crawl'];

const REQUEST_MS = 60_000;

/**
 * Reads the pages of a documentation site: those of `doc_urls`, else those that its sitemaps list.
 * Without either, it follows links from `url` to pages below its folder. A document is a page under
 * its URL; its version is a hash of its content. Listing fetches the pages, because nothing else
 * shows which of them changed. The server does not send unchanged pages again.
 */
export function createHtmlFetcher(options: HtmlFetcherOptions): Fetcher {
  return {
    async resolve(request) {
      request.signal.throwIfAborted();
      return { ref: null, open: (known) => new SiteSync(request, options, known).open() };
    },
  };
}

/** One sync of one site. */
class SiteSync {
  private readonly url: string;
  private readonly web: WebClient;
  private readonly client: PoliteClient;
  private readonly robots: RobotRules;
  private readonly store: PageStore;
  private readonly listing: PageListing;
  private readonly known: ReadonlyMap<string, KnownDocument>;
  private readonly selector: FileSelector;
  private readonly isOfSite: (page: string) => boolean;
  private readonly stop = new AbortController();
  private readonly signal: AbortSignal;
  private readonly slices = new TimeSlices();
  private closed = false;

  constructor(
    private readonly request: FetchRequest,
    private readonly options: HtmlFetcherOptions,
    known: readonly KnownDocument[],
  ) {
    const { definition, network, limits, timeoutMs, directory } = request;
    const signal = (this.signal = AbortSignal.any([request.signal, this.stop.signal]));
    this.url = pageUrl(definition.url) ?? definition.url;
    const { userAgent, delayMs } = options;
    this.web = new WebClient({
      network,
      userAgent,
      signal,
      timeoutMs: Math.min(timeoutMs, REQUEST_MS),
    });
    this.client = new PoliteClient({ web: this.web, delayMs, signal });
    this.robots = new RobotRules(this.client, this.slices);
    this.store = new PageStore(join(directory, 'pages'));
    this.known = new Map(known.map((document) => [document.path, document]));
    this.listing = new PageListing(definition.url, this.known, limits.maxSourceBytes);
    this.isOfSite = siteOf(this.url);
    this.selector = new FileSelector({
      include: definition.include_patterns.map((pattern) => sitePattern(pattern, this.url)),
      exclude: definition.exclude_patterns.map((pattern) => sitePattern(pattern, this.url)),
      maxFileBytes: limits.maxFileBytes,
    });
  }

  async open(): Promise<SourceSnapshot> {
    try {
      this.request.signal.throwIfAborted();
      await this.fetchAll();
      const { documents, skipped, details } = this.listing.finish();
      const named = await this.withNames(documents);
      await this.store.keep(new Set(documents.map(({ version }) => version)));
      return {
        ref: refOf(documents),
        documents: named,
        skipped,
        details,
        read: (asked) => this.read(asked),
        close: () => this.close(),
      };
    } catch (error) {
      await this.close();
      this.request.signal.throwIfAborted();
      throw error;
    }
  }

  private async fetchAll(): Promise<void> {
    const { doc_urls = [], use_sitemap = false } = this.request.definition;
    if (doc_urls.length > 0) {
      return this.fetchPages(
        doc_urls.map((url) => pageUrl(url) ?? url),
        { follow: false, isInSite: () => true },
      );
    }
    if (!use_sitemap) return this.crawl();
    const { client, robots, isOfSite, url, slices } = this;
    const most = this.request.limits.maxSourceFiles;
    const listed = await sitemapPages({
      client,
      robots,
      root: url,
      isInSite: isOfSite,
      most,
      slices,
    });
    this.listing.count('sitemaps_beyond_limit', listed.beyondLimit);
    return this.fetchPages(listed.pages, { follow: false, isInSite: isOfSite });
  }

  /** Crawls from the root; without the root there is nothing to follow. */
  private async crawl(): Promise<void> {
    if (!(await this.robots.allows(this.url))) {
      const message = `The robots.txt of ${this.url} does not let it be read`;
      throw new StageFailure(message, false, { url: this.url });
    }
    await this.fetchPages([this.url], { follow: true, isInSite: this.isOfSite });
  }

  private async fetchPages(
    first: readonly string[],
    {
      follow,
      isInSite,
    }: { readonly follow: boolean; readonly isInSite: (page: string) => boolean },
  ): Promise<void> {
    const waiting = new Waiting<string>();
    const seen = new Set<string>();
    const add = async (page: string): Promise<void> => {
      if (seen.has(page)) return;
      seen.add(page);
      this.requireFewEnough(seen.size);
      if (this.carriesSecret(page)) return this.listing.count('pages_secret');
      if (page === this.url || (await this.isSelected(page))) waiting.push(page);
    };
    for (const page of first) {
      if (this.slices.isUsedUp) await this.slices.pause(this.signal);
      await add(page);
    }
    const under = new Set<Promise<void>>();
    let asked = 0;
    const fetchOptions = {
      client: this.client,
      store: this.store,
      known: this.known,
      follow,
      isInSite,
      maxBytes: this.request.limits.maxFileBytes,
    };
    const take = async (page: string): Promise<void> => {
      const rules = await this.rulesFor(page);
      if (rules === 'disallowed') return this.listing.count('pages_disallowed');
      const fetched = rules === 'allowed' ? await fetchPage(page, fetchOptions) : rules;
      const isRoot = follow && page === this.url;
      if (isRoot) requireRoot(page, fetched);
      // The root is fetched for its links; the patterns decide whether it is also indexed.
      if (!isRoot || (await this.isSelected(page))) this.listing.add(page, fetched);
      if (fetched.kind !== 'failed' && follow) {
        for (const link of fetched.links) {
          if (this.slices.isUsedUp) await this.slices.pause(this.signal);
          if (isInSite(link) && isFollowed(link, this.url)) await add(link);
        }
      }
      this.tell(waiting.length + under.size);
    };
    try {
      while (waiting.length > 0 || under.size > 0) {
        while (waiting.length > 0 && under.size < this.options.concurrency) {
          if (asked >= this.options.maxPages) {
            this.listing.count('pages_beyond_limit', waiting.length);
            waiting.clear();
            break;
          }
          asked += 1;
          const work: Promise<void> = take(waiting.take() as string).finally(() =>
            under.delete(work),
          );
          work.catch(() => undefined);
          under.add(work);
        }
        if (under.size > 0) await Promise.race(under);
      }
    } catch (error) {
      this.stop.abort(error);
      await Promise.allSettled(under);
      throw error;
    }
  }

  /**
   * Returns the rules for a page. If the rules of a host are unavailable, only pages of that host
   * fail.
   */
  private async rulesFor(
    page: string,
  ): Promise<'allowed' | 'disallowed' | (FetchedPage & { readonly kind: 'failed' })> {
    try {
      return (await this.robots.allows(page)) ? 'allowed' : 'disallowed';
    } catch (error) {
      if (!isStageFailure(error)) throw error;
      return { kind: 'failed', failure: error };
    }
  }

  private async isSelected(page: string): Promise<boolean> {
    const { decision } = await this.selector.judge(
      { path: patternPath(page), size: null },
      this.slices,
      this.signal,
    );
    // Folders that hold others' files in a repository are parts of a site like others.
    return decision === 'read' || decision === 'vendored';
  }

  /** Returns the documents; marks those that an include pattern names. */
  private async withNames(
    documents: readonly SourceDocument[],
  ): Promise<readonly SourceDocument[]> {
    const marked: SourceDocument[] = [];
    for (const document of documents) {
      if (this.slices.isUsedUp) await this.slices.pause(this.signal);
      const isNamed = await this.selector.isNamed(
        patternPath(document.path),
        this.slices,
        this.signal,
      );
      marked.push(isNamed ? { ...document, named: true } : document);
    }
    return marked;
  }

  /**
   * Returns whether a page found by links has a secret in its address. Pages that the owner of the
   * source named are exempt.
   */
  private carriesSecret(page: string): boolean {
    if (!page.includes('=') || page === this.url || secretOfUrl(page) === null) return false;
    return !this.request.definition.doc_urls?.some((url) => pageUrl(url) === page);
  }

  private requireFewEnough(listed: number): void {
    const { definition, limits } = this.request;
    if (listed <= limits.maxSourceFiles) return;
    const message = `${definition.url} has more pages than MAX_SOURCE_FILES (${limits.maxSourceFiles}) allows`;
    throw new StageFailure(message, false, { url: definition.url });
  }

  private tell(waiting: number): void {
    this.request.onProgress?.(
      `Fetched ${this.listing.size} pages, ${Math.max(0, waiting - 1)} are waiting`,
    );
  }

  private async *read(documents: readonly SourceDocument[]): AsyncGenerator<FetchedDocument> {
    for (const { path, version, named } of documents) {
      this.request.signal.throwIfAborted();
      if (this.closed) throw new Error('The snapshot was closed');
      const page = (await this.store.get(version)) ?? (await this.readAgain(path, version));
      yield { path, kind: 'html', ...page, ...(named && { named }) };
    }
  }

  /** Fetches a page again that the server reported as unchanged but whose content is needed. */
  private async readAgain(url: string, version: string) {
    const answer = await this.client.get(url, { maxBytes: this.request.limits.maxFileBytes });
    const { bytes, charset } =
      answer.kind === 'document' ? answer : { bytes: new Uint8Array(), charset: undefined };
    const page = { bytes, ...(charset !== undefined && { charset }) };
    if (PageStore.versionOf(page) === version) return page;
    throw new StageFailure(`${url} changed while it was read`, true, { url });
  }

  private async close(): Promise<void> {
    this.closed = true;
    await this.web.close();
  }
}

/** A queue that takes from its front without moving the rest. */
class Waiting<Item> {
  private items: Item[] = [];
  private first = 0;

  get length(): number {
    return this.items.length - this.first;
  }

  push(item: Item): void {
    this.items.push(item);
  }

  take(): Item | undefined {
    const item = this.items[this.first];
    this.first += 1;
    return item;
  }

  clear(): void {
    this.items = [];
    this.first = 0;
  }
}

/** Requires that the root of a crawl is a page and available. */
function requireRoot(url: string, page: FetchedPage): void {
  if (page.kind === 'failed') throw page.failure;
  if (page.kind !== 'left' || page.reason === 'noindex') return;
  const problem = {
    too_large: 'is larger than MAX_FILE_BYTES allows',
    not_html: 'is not a page of HTML',
    outside: 'leads to another site; register the address that it leads to',
  }[page.reason];
  throw new StageFailure(`${url} ${problem}`, false, { url });
}

/**
 * Returns whether a link is followed. Parameters make endless variants of a page; only those of the
 * source's own URL are followed.
 */
function isFollowed(link: string, root: string): boolean {
  return new URL(link).search === '' || new URL(link).search === new URL(root).search;
}

function refOf(documents: readonly SourceDocument[]): string {
  return createHash('sha256')
    .update(JSON.stringify(documents.map(({ path, version }) => [path, version])))
    .digest('hex');
}
