import { StageFailure } from '#contracts';

import type { KnownDocument, SourceDocument } from '../fetch/fetcher.port.js';
import type { FetchedPage } from './page-fetch.js';

/** Failed pages that are named; all of them are counted. */
const MOST_NAMED = 20;
/**
 * So many transient failures in a row are a failure of the site: the whole site is retried later.
 */
const MOST_IN_A_ROW = 10;

/** Collects the results for the pages of a sync. */
export class PageListing {
  private readonly documents = new Map<string, SourceDocument>();
  private readonly failures = new Map<string, StageFailure>();
  private readonly counts = new Map<string, number>();
  private tooLarge = 0;
  private bytes = 0;
  private inARow = 0;

  constructor(
    private readonly url: string,
    private readonly known: ReadonlyMap<string, KnownDocument>,
    private readonly maxSourceBytes: number,
  ) {}

  get size(): number {
    return this.documents.size;
  }

  count(reason: string, by = 1): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + by);
  }

  /** Adds the result for a page. @throws StageFailure if the source as a whole has failed. */
  add(url: string, page: FetchedPage): void {
    if (page.kind === 'failed') return this.fail(url, page.failure);
    this.inARow = 0;
    if (page.kind === 'left') {
      if (page.reason === 'too_large') this.tooLarge += 1;
      else this.count(`pages_${page.reason}`);
      return;
    }
    const { document, sent } = page;
    if (!sent) this.count('pages_unchanged');
    if (this.documents.has(document.path)) return;
    this.bytes += document.size ?? 0;
    if (this.bytes > this.maxSourceBytes) {
      const message = `${this.url} has more than MAX_SOURCE_BYTES (${this.maxSourceBytes}) allows`;
      throw new StageFailure(message, false, { url: this.url });
    }
    this.documents.set(document.path, document);
  }

  /**
   * Returns the documents in path order, and for this sync the earlier documents of failed pages.
   * @throws the first failure if there are no documents.
   */
  finish() {
    const [first] = this.failures.values();
    if (this.documents.size === 0 && first) throw first;
    for (const url of this.failures.keys()) {
      const before = this.known.get(url);
      if (!before || before.missed || this.documents.has(url)) continue;
      const { path, version, etag, last_modified } = before;
      const validators = {
        ...(etag !== undefined && { etag }),
        ...(last_modified !== undefined && { last_modified }),
      };
      this.documents.set(path, {
        path,
        kind: 'html',
        version,
        ...validators,
        size: null,
        missed: true,
      });
    }
    const documents = withoutTwins([...this.documents.values()].sort(byPath));
    this.count('pages_duplicate', this.documents.size - documents.length);
    const skipped = {
      files_skipped: this.tooLarge,
      ...(this.tooLarge > 0 && { files_skipped_too_large: this.tooLarge }),
    };
    return { documents, skipped, details: this.details() };
  }

  private fail(url: string, failure: StageFailure): void {
    this.inARow = failure.retryable ? this.inARow + 1 : 0;
    if (this.inARow >= MOST_IN_A_ROW) throw failure;
    this.failures.set(url, failure);
  }

  /**
   * Returns failed pages by URL with their HTTP status; 0 means that the server did not respond.
   */
  private details(): Readonly<Record<string, number>> {
    const named = [...this.failures]
      .slice(0, MOST_NAMED)
      .map(([url, { details }]) => [url, details?.status_code ?? 0]);
    return {
      ...Object.fromEntries([...this.counts].filter(([, count]) => count > 0)),
      ...(this.failures.size > 0 && { pages_failed: this.failures.size }),
      ...(Object.fromEntries(named) as Record<string, number>),
    };
  }
}

/** Returns for pages with identical content only the one with the shortest URL. */
function withoutTwins(documents: readonly SourceDocument[]): readonly SourceDocument[] {
  const shortest = new Map<string, string>();
  for (const { path, version } of documents) {
    const other = shortest.get(version);
    if (other === undefined || path.length < other.length) shortest.set(version, path);
  }
  return documents.filter(({ path, version }) => shortest.get(version) === path);
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}
