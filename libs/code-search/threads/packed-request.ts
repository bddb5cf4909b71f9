import {
  joinStored,
  splitStored,
  type StoredDocument,
  type StoredDocuments,
} from '#search-index/pack/stored-document';

import type { MatchRequest, PostedDocument } from './match-protocol.js';

/** A request whose stored documents share one table of places. */
export interface PackedRequest extends Omit<MatchRequest, 'documents'> {
  /** The text is missing where the place is in the table. */
  readonly documents: readonly UnplacedDocument[];
  /** In the order of the documents. */
  readonly stored: StoredDocuments;
}

type UnplacedDocument = Omit<PostedDocument, 'text'> & Partial<Pick<PostedDocument, 'text'>>;

export function packRequest({ documents, ...request }: MatchRequest): PackedRequest {
  const stored: StoredDocument[] = [];
  const others = documents.map((document): UnplacedDocument => {
    const { text, ...rest } = document;
    if (!('packs' in text)) return document;
    stored.push(text);
    return rest;
  });
  return { ...request, documents: others, stored: joinStored(stored) };
}

/** Returns what {@link packRequest} packed. */
export function unpackRequest({ documents, stored, ...request }: PackedRequest): MatchRequest {
  const places = splitStored(stored);
  let next = 0;
  return {
    ...request,
    documents: documents.map((document) => {
      const text = document.text ?? places[next++];
      if (!text) throw new Error(`${document.path} has no text and no place`);
      return { ...document, text };
    }),
  };
}
