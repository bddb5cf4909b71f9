import { FootnoteError, type ManifestDocument } from '#contracts';
import type { SourceVersionQuery } from '#contracts/http/index';
import type { GenerationView } from '#read-model';
import type { AudiencesAsked } from '#search';
import type { LiveSource } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { type KeptGenerations, placeOf } from '../sources/kept-generations.js';

/** An indexed file of a kept version of a source. */
export interface IndexedFile {
  readonly generation: GenerationView;
  /** Place of the generation in the search index. */
  readonly place: LiveSource;
  readonly document: ManifestDocument;
}

/**
 * Returns an indexed file of a source that the caller sees.
 * @param audiences as of `KeptGenerations.find`.
 * @throws FootnoteError as `KeptGenerations.find` and `documents`; `content_not_found` for an
 * unknown path or a file that is not indexed.
 */
export async function findIndexedFile(
  generations: KeptGenerations,
  caller: Caller,
  sourceId: string,
  query: SourceVersionQuery & { readonly path: string },
  audiences?: AudiencesAsked,
): Promise<IndexedFile> {
  const generation = await generations.find(caller, sourceId, query, audiences);
  const document = indexedDocument(await generations.documents(generation), query.path);
  return { generation, place: placeOf(generation), document };
}

function indexedDocument(documents: readonly ManifestDocument[], path: string): ManifestDocument {
  const document = documents.find((one) => one.path === path);
  if (!document)
    throw new FootnoteError('content_not_found', 'Path not found in this version of the source');
  if (document.skipped === undefined) return document;
  const reason = document.skipped.replaceAll('_', ' ');
  throw new FootnoteError('content_not_found', `This file is not indexed: ${reason}`);
}
