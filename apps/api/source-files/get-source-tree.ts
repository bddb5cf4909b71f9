import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { validationFailed } from '#contracts';
import type { SourceTreeQuery, SourceTreeView } from '#contracts/http/index';
import { compileGlob } from '#platform/patterns/glob';
import { type AudiencesAsked, patternProblems } from '#search';

import type { Caller } from '../auth/caller.js';
import { KeptGenerations } from '../sources/kept-generations.js';
import { Handles } from '../use-cases/handles.js';
import { treeEntries } from './tree-entries.js';

/** Lists the files and folders of a kept version of a source. Costs no quota. */
export class GetSourceTree extends Query<SourceTreeView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly query: SourceTreeQuery,
    /** Audiences to read as. Default: the caller's own and linked sources. */
    readonly audiences?: AudiencesAsked,
  ) {
    super();
  }
}

@Handles(GetSourceTree)
export class GetSourceTreeHandler implements IQueryHandler<GetSourceTree> {
  constructor(private readonly generations: KeptGenerations) {}

  /**
   * @throws FootnoteError `source_not_found`, `content_not_found`, `generation_dropped`,
   * `content_missing` or `validation_failed`.
   */
  async execute({ caller, sourceId, query, audiences }: GetSourceTree): Promise<SourceTreeView> {
    const { glob, skip, limit } = query;
    const problems = patternProblems('glob', glob === undefined ? [] : [glob]);
    if (problems.length > 0) throw validationFailed(problems);
    const generation = await this.generations.find(caller, sourceId, query, audiences);
    const entries = await treeEntries(await this.generations.documents(generation), {
      folder: (query.path ?? '').replace(/^\/|\/$/g, ''),
      depth: query.depth ?? (glob === undefined ? 1 : Infinity),
      matches: glob === undefined ? () => true : compileGlob(glob),
    });
    return {
      source_id: generation.source_id,
      generation: generation.generation,
      version_ref: generation.version_ref,
      total: entries.length,
      entries: entries.slice(skip, skip + limit),
    };
  }
}
