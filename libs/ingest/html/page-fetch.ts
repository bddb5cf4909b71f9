import { isStageFailure, StageFailure } from '#contracts';

import type { KnownDocument, SourceDocument } from '../fetch/fetcher.port.js';
import { secretOfUrl } from '../redact/redact-urls.js';
import type { WebDocument } from '../web/web-client.js';
import { pageLinks } from './page-links.js';
import type { PageStore, StoredPage } from './page-store.js';
import { isSamePage, pageUrl } from './page-url.js';
import type { PoliteClient } from './polite-client.js';

/** Result for a page. */
export type FetchedPage =
  | {
      readonly kind: 'page';
      readonly document: SourceDocument;
      readonly links: readonly string[];
      readonly sent: boolean;
    }
  /** Left out, with the reason as `stage_details` counts it. */
  | {
      readonly kind: 'left';
      readonly reason: 'too_large' | 'not_html' | 'noindex' | 'outside';
      readonly links: readonly string[];
    }
  | { readonly kind: 'failed'; readonly failure: StageFailure };

export interface PageFetchOptions {
  readonly client: PoliteClient;
  readonly store: PageStore;
  readonly maxBytes: number;
  readonly known: ReadonlyMap<string, KnownDocument>;
  /** Whether links are needed; then an unchanged page must still be stored. */
  readonly follow: boolean;
  /** Test for the URLs that a page may have been moved to. */
  readonly isInSite: (page: string) => boolean;
}

const HTML = /^(?:text\/html|application\/xhtml\+xml|)$/;
/** Servers send pages under these types when they do not know better. */
const PLAIN = /^text\/(?:plain|markdown)$/;
const ACCEPT = 'text/html, application/xhtml+xml, */*;q=0.1';

/**
 * Fetches one page, or finds that its stored version is still valid. @throws errors that are not
 * failures of the page.
 */
export async function fetchPage(url: string, options: PageFetchOptions): Promise<FetchedPage> {
  const { client, store, maxBytes, known } = options;
  const before = known.get(url);
  const kept = before && (await store.get(before.version));
  const conditional = before && (kept !== undefined || !options.follow);
  try {
    const answer = await client.get(url, {
      maxBytes,
      accept: ACCEPT,
      ...(conditional && { etag: before.etag, last_modified: before.last_modified }),
    });
    if (answer.kind === 'document') return await takeUp(url, answer, options);
    if (!before)
      throw new StageFailure(`${url} answered 304 to what was not asked`, true, {
        url,
        status_code: 304,
      });
    return {
      kind: 'page',
      document: unchanged(before, kept),
      links: kept && options.follow ? await linksOf(before.version, kept, url, store) : [],
      sent: false,
    };
  } catch (error) {
    if (!isStageFailure(error)) throw error;
    if (error.details?.['reason'] === 'too_large')
      return { kind: 'left', reason: 'too_large', links: [] };
    return { kind: 'failed', failure: error };
  }
}

async function takeUp(
  url: string,
  answer: WebDocument,
  options: PageFetchOptions,
): Promise<FetchedPage> {
  const from = pageUrl(answer.url) ?? url;
  if (from !== url && !options.isInSite(from))
    return { kind: 'left', reason: 'outside', links: [] };
  if (
    !HTML.test(answer.mediaType) &&
    !(PLAIN.test(answer.mediaType) && looksLikeHtml(answer.bytes))
  ) {
    return { kind: 'left', reason: 'not_html', links: [] };
  }
  const page = {
    bytes: answer.bytes,
    ...(answer.charset !== undefined && { charset: answer.charset }),
  };
  const { links, canonical, noindex } = await pageLinks(page.bytes, page.charset, from);
  if (noindex) return { kind: 'left', reason: 'noindex', links };
  // A redirect may lead to a signed address: the page is listed under the requested URL.
  const named = canonical !== undefined && isSamePage(canonical, from) ? canonical : from;
  const path = secretOfUrl(named) === null ? named : url;
  const { etag, last_modified } = answer;
  const version = await options.store.put(page);
  if (options.follow) await options.store.putLinks(version, from, links);
  const document: SourceDocument = {
    path,
    kind: 'html',
    version,
    ...(etag !== undefined && { etag }),
    ...(last_modified !== undefined && { last_modified }),
    size: page.bytes.byteLength,
  };
  return { kind: 'page', document, links, sent: true };
}

function unchanged(
  { path, version, etag, last_modified }: KnownDocument,
  kept: StoredPage | undefined,
): SourceDocument {
  return {
    path,
    kind: 'html',
    version,
    ...(etag !== undefined && { etag }),
    ...(last_modified !== undefined && { last_modified }),
    size: kept?.bytes.byteLength ?? null,
  };
}

/**
 * Returns the links of an unchanged page. Without stored links, most of a sync without changes
 * would be scanning every page again.
 */
async function linksOf(
  version: string,
  { bytes, charset }: StoredPage,
  url: string,
  store: PageStore,
): Promise<readonly string[]> {
  const before = await store.getLinks(version, url);
  if (before) return before;
  const { links } = await pageLinks(bytes, charset, url);
  await store.putLinks(version, url, links);
  return links;
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  return /<(?:!doctype html|html|head|body)\b/i.test(
    Buffer.from(bytes.subarray(0, 1_024)).toString('latin1'),
  );
}
