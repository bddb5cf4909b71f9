import { type SourceDefinition, type SourceKind, sourceKind, StageFailure } from '#contracts';
import type { BlobStore, Config, StartProcess } from '#platform';

import type { Fetcher } from './fetch/fetcher.port.js';
import { createGitFetcher } from './git/git-fetcher.js';
import { createHtmlFetcher } from './html/html-fetcher.js';
import { createOpenApiFetcher } from './openapi/openapi-fetcher.js';
import { createPdfFetcher } from './pdf/pdf-fetcher.js';
import { createServiceDocsFetcher } from './service-docs/service-docs-fetcher.js';

/** Fetcher of each kind of source. A kind without a fetcher cannot be synced. */
export type Fetchers = Readonly<Partial<Record<SourceKind, Fetcher>>>;

/**
 * Creates the fetchers. Only this function assigns fetchers to kinds of sources.
 *
 * @param uploads storage of uploaded files.
 * @param start starter of the processes that fetch. Default: this process, which a large process
 * should avoid.
 */
export function createFetchers(
  {
    github: { token, gitUrl, tokenTenants },
    git: { knownHosts },
    crawl,
    limits,
    packages,
    network,
  }: Pick<Config, 'github' | 'git' | 'crawl' | 'limits' | 'packages' | 'network'>,
  uploads: Pick<BlobStore, 'get'>,
  start?: StartProcess,
): Fetchers {
  return {
    repo: createGitFetcher({
      ...(token === undefined
        ? {}
        : { token: { origin: new URL(gitUrl).origin, token, tenants: tokenTenants } }),
      ...(knownHosts === undefined ? {} : { knownHosts }),
      start,
    }),
    docs_html: createHtmlFetcher(crawl),
    docs_openapi: createOpenApiFetcher(crawl),
    package: lazyFetcher(async () =>
      (await import('./packages/package-fetcher.js')).createPackageFetcher(packages, network),
    ),
    service_docs: createServiceDocsFetcher(),
    pdf: createPdfFetcher({ uploads, maxBytes: limits.maxUploadBytes }),
  };
}

/**
 * Creates a fetcher that loads its libraries with the first source that needs them, so that startup
 * does not wait for them.
 */
function lazyFetcher(load: () => Promise<Fetcher>): Fetcher {
  let loaded: Promise<Fetcher> | undefined;
  return { resolve: async (request) => (await (loaded ??= load())).resolve(request) };
}

/** Returns the fetcher of a source. @throws StageFailure if its kind has no fetcher. */
export function fetcherFor(
  fetchers: Fetchers,
  { source_type, docs_format, url }: SourceDefinition,
): Fetcher {
  const fetcher = fetchers[sourceKind(source_type, docs_format)];
  if (!fetcher) {
    const type = docs_format === undefined ? source_type : `${source_type} (${docs_format})`;
    throw new StageFailure(`Sources of type ${type} cannot be synced by this version`, false, {
      url,
    });
  }
  return fetcher;
}
