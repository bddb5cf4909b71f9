import type { MatchThreads, PostedDocument } from '#code-search';

import type { ScanPlace } from './code-search-scope.js';
import { type DocumentToScan, textOf } from './scan-documents.js';

/** A document that waits for its matches. */
export interface Queued extends DocumentToScan {
  /** Documents between the one before and this one that the index excludes. */
  readonly excludedBefore: number;
}

/** Documents that a thread has, or that wait for one. */
export interface Batch {
  readonly documents: readonly Queued[];
  readonly bytes: number;
  readonly budgetMs: number;
  readonly oneByOne: boolean;
  /** Lines after which the thread ends its search. */
  readonly maxLines: number;
  readonly answer: ReturnType<MatchThreads['run']>;
}

/** Returns the place of a line of a document. */
export function placeIn({ scoped, document }: Queued, line: number): ScanPlace {
  return { sourceId: scoped.source.sourceId, path: document.path, line };
}

/** Returns a document that ends with a line. */
export function cutAt(document: PostedDocument, untilLine: number): PostedDocument {
  return { ...document, untilLine };
}

/** Returns about the bytes of a document that is sent or read. */
export function bytesOf({ text }: PostedDocument): number {
  if ('packs' in text) return text.bytes;
  if ('text' in text) return text.text.length;
  return text.pieces.reduce((sum, { content }) => sum + content.length, 0);
}

/** Reads the texts of documents here; the index repairs what is damaged. */
export async function withTexts(documents: readonly Queued[]): Promise<readonly Queued[]> {
  const read: Queued[] = [];
  for (const queued of documents) {
    const { document, indexed } = queued;
    read.push({ ...queued, document: { ...document, text: await textOf(indexed) } });
  }
  return read;
}
