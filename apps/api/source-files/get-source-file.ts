import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { ManifestDocument } from '#contracts';
import type { SourceVersionQuery } from '#contracts/http/index';
import type { GenerationView } from '#read-model';
import type { AudiencesAsked } from '#search';
import { type IndexedChunk, SEARCH_INDEX, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { KeptGenerations } from '../sources/kept-generations.js';
import { readIndexedDocument } from '../sources/read-indexed-document.js';
import { Handles } from '../use-cases/handles.js';
import { type FileText, fileText } from './file-text.js';
import { findIndexedFile } from './indexed-file.js';

/** A file of a kept generation. */
export interface SourceFile extends FileText {
  readonly generation: GenerationView;
  readonly document: ManifestDocument;
  readonly chunks: readonly IndexedChunk[];
}

/** Returns a file of a kept version of a source as text. Costs no quota. */
export class GetSourceFile extends Query<SourceFile> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly query: SourceVersionQuery & { readonly path: string },
    /** Audiences to read as. Default: the caller's own and linked sources. */
    readonly audiences?: AudiencesAsked,
  ) {
    super();
  }
}

@Handles(GetSourceFile)
export class GetSourceFileHandler implements IQueryHandler<GetSourceFile> {
  constructor(
    private readonly generations: KeptGenerations,
    private readonly contentGaps: ContentGaps,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
  ) {}

  /**
   * @throws FootnoteError `source_not_found`, `content_not_found`, `generation_dropped`,
   * `content_missing`, `engine_unavailable` or `validation_failed`.
   */
  async execute({ caller, sourceId, query, audiences }: GetSourceFile): Promise<SourceFile> {
    const file = await findIndexedFile(this.generations, caller, sourceId, query, audiences);
    const { generation, place, document } = file;
    const chunks =
      document.chunks === 0
        ? []
        : await readIndexedDocument(this.index, this.contentGaps, place, document.path);
    return { generation, document, chunks, ...fileText(document, chunks) };
  }
}
