import { serviceDocsDefinition, StageFailure } from '#contracts';

import type { Fetcher, SourceDocument, SourceSnapshot } from '../fetch/fetcher.port.js';
import { readServiceDocs, type ServiceDocs } from './service-docs.js';

/**
 * Reads the documentation that this build was shipped with. A source that requests another build's
 * documentation fails with a retry. During the rollout of a new version, a worker of that version
 * can take the job. @param folder Default: the folder of the build.
 */
export function createServiceDocsFetcher(folder?: string): Fetcher {
  return {
    async resolve({ definition: { url }, signal }) {
      signal.throwIfAborted();
      const docs = await readServiceDocs(folder);
      const own = serviceDocsDefinition(docs.version).url;
      if (url !== own)
        throw new StageFailure(`This process has ${own}, and ${url} was asked for`, true, { url });
      return { ref: docs.version, open: () => Promise.resolve(snapshotOf(docs)) };
    },
  };
}

function snapshotOf({ version, documents }: ServiceDocs): SourceSnapshot {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return {
    ref: version,
    documents: documents.map(({ path, hash, bytes }): SourceDocument => ({
      path,
      kind: 'file',
      version: hash,
      size: bytes.length,
    })),
    skipped: {},
    async *read(asked) {
      for (const { path, kind } of asked) {
        const found = byPath.get(path);
        if (!found) throw new Error(`There is no document ${path}`);
        yield { path, kind, bytes: found.bytes };
      }
    },
    close: () => Promise.resolve(),
  };
}
