import { ANY_TEXT } from '#contracts/content/required-text';
import { TimeSlices } from '#platform';

import { compileChunkFilter, type FilteredChunk } from '../chunk-filter.js';
import { trigramCondition } from '../pack/trigrams/trigram-condition.js';
import type {
  DocumentRange,
  ExcludedDocuments,
  IndexedDocument,
  LiveSource,
} from '../search-index.port.js';
import type { RowSource } from './chunk-row.js';
import type { DocumentList } from './document-list.js';
import { CHUNK_PAGE, indexedDocument, type ReadChunk, readChunk } from './indexed-document.js';
import type { KeptDocuments, KeptOfGeneration } from './kept-documents.js';
import { anyOf, rowFilter } from './row-filter.js';
import type { RowReader } from './row-reader.js';
import { rowCondition } from './row-trigrams.js';
import type { DocumentPaths } from './search/document-paths.js';
import { engineUnavailable } from './server.js';
import type { GenerationEntry, SourceRecords } from './source-records.js';

/** Documents whose rows are read at once: few first, as a search may need no more. */
const FIRST_DOCUMENTS = 16;
const MOST_DOCUMENTS = 64;

/** A document to read, after those that are left out. */
interface Wanted {
  readonly path: string;
  readonly excludedBefore: number;
}

/**
 * Reads the documents of a loaded generation in the order of their paths. Texts that a search does
 * not need stay on the server.
 */
export class DocumentReader {
  constructor(
    private readonly records: SourceRecords,
    private readonly rows: RowReader,
    private readonly list: DocumentList,
    private readonly paths: DocumentPaths,
    private readonly kept: KeptDocuments,
  ) {}

  /**
   * @throws FootnoteError `engine_unavailable` while the generation is not loaded, or if rows of it
   * are missing.
   */
  async *documents(
    source: LiveSource,
    { from, filter, required }: DocumentRange,
  ): AsyncIterable<IndexedDocument | ExcludedDocuments> {
    const [entry] = (await this.records.loaded([source])) as [GenerationEntry];
    const condition = rowCondition(trigramCondition(required ?? ANY_TEXT));
    const [all, candidates] = await Promise.all([
      this.list.of(source, entry),
      this.paths.meeting(source, condition),
    ]);
    const isWanted = filter ? compileChunkFilter(filter) : () => true;
    const kept = this.kept.of(source, entry);
    let batch: Wanted[] = [];
    let size = FIRST_DOCUMENTS;
    let excluded = 0;
    const slices = new TimeSlices();
    for (let at = from === undefined ? 0 : firstFrom(all, from); at < all.length; at++) {
      if (slices.isUsedUp) await slices.pause();
      const document = all[at] as FilteredChunk;
      if (!isWanted(document)) continue;
      if (candidates && !candidates.has(document.path)) {
        excluded += 1;
        continue;
      }
      batch.push({ path: document.path, excludedBefore: excluded });
      excluded = 0;
      if (batch.length < size) continue;
      yield* this.read(source, batch, kept);
      batch = [];
      size = MOST_DOCUMENTS;
    }
    yield* this.read(source, batch, kept);
    if (excluded > 0) yield { excluded };
  }

  private async *read(
    source: LiveSource,
    wanted: readonly Wanted[],
    kept: KeptOfGeneration,
  ): AsyncIterable<IndexedDocument | ExcludedDocuments> {
    const known = wanted.map(({ path }) => kept.get(path));
    const missing = wanted.filter((_, at) => !known[at]).map(({ path }) => path);
    const found = this.inOrder(source, missing);
    for (const [at, { path, excludedBefore }] of wanted.entries()) {
      if (excludedBefore > 0) yield { excluded: excludedBefore };
      const document = known[at];
      if (document) {
        yield document;
        continue;
      }
      const { value: read } = await found.next();
      // The generation was dropped in between, or the server lost rows.
      if (read?.[0]?.chunk.path !== path) throw engineUnavailable();
      const fresh = indexedDocument(read);
      kept.keep(fresh, read);
      yield fresh;
    }
  }

  /** Reads the chunks of documents whose paths ascend by their UTF-8 bytes. */
  private async *inOrder(
    source: LiveSource,
    paths: readonly string[],
  ): AsyncGenerator<readonly ReadChunk[], undefined> {
    if (paths.length === 0) return undefined;
    const rows = rowFilter(source, anyOf('path', paths));
    const order = ['path', 'ordinal', 'chunk_id'];
    let read: ReadChunk[] = [];
    for await (const hit of this.rows.hits<RowSource>(rows, CHUNK_PAGE, order)) {
      const next = readChunk(source, hit);
      if (read[0] && read[0].chunk.path !== next.chunk.path) {
        yield read;
        read = [];
      }
      read.push(next);
    }
    if (read.length > 0) yield read;
    return undefined;
  }
}

/** Returns the index of the first document that is not before a path. */
function firstFrom(documents: readonly FilteredChunk[], from: string): number {
  const wanted = Buffer.from(from);
  let [low, high] = [0, documents.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { path = '' } = documents[middle] ?? {};
    if (Buffer.compare(Buffer.from(path), wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
