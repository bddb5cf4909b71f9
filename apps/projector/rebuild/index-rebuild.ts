import type { GenerationsRow } from '#read-model';
import type { IndexBeside, LiveSource, SearchIndex } from '#search-index';

import { GenerationRows } from '../index/generation-rows.js';
import type { IndexRunnerDependencies } from '../index/index.runner.js';
import { IndexRunner } from '../index/index.runner.js';
import type { ProjectorContext } from '../runner/projector-context.js';
import type { SupervisedRunner } from '../runner/supervised.runner.js';
import type { RebuildBeside } from './rebuild.js';

/**
 * Rebuilds the search index together with its rows, from the log and the blobs. Searches and the
 * live projection continue in the serving index. The new index replaces it when it has every
 * generation of the log, each as large as the log says. Generations that can no longer be read are
 * copied from the serving index; if that fails too, the old index stays.
 */
export class IndexRebuild implements RebuildBeside {
  /**
   * Generations that the index served before the newest round. By the round's end, the log has
   * delivered their events, if it has any.
   */
  private servedBefore = new Set<string>();

  private constructor(
    private readonly context: ProjectorContext,
    private readonly dependencies: IndexRunnerDependencies & { readonly searchIndex: SearchIndex },
    private readonly beside: IndexBeside,
  ) {}

  static async begin(
    context: ProjectorContext,
    dependencies: IndexRunnerDependencies & { readonly searchIndex: SearchIndex },
  ): Promise<IndexRebuild> {
    return new IndexRebuild(context, dependencies, await dependencies.searchIndex.buildBeside());
  }

  async runner(options: { readonly version: number }): Promise<SupervisedRunner> {
    const { blobs, searchIndex } = this.dependencies;
    this.servedBefore = new Set((await searchIndex.generations()).map(keyOf));
    return new IndexRunner(this.context, { blobs, searchIndex: this.beside }, options);
  }

  async show(from: number, version: number): Promise<boolean> {
    const { dataSource } = this.context;
    const rows = await new GenerationRows(dataSource, version).all();
    const built = new Map(rows.map((row) => [keyOfRow(row), row]));
    for (const row of await new GenerationRows(dataSource, from).ready())
      compare(row, built.get(keyOfRow(row)));
    return this.beside.show((source) => {
      const row = built.get(keyOf(source));
      return row
        ? row.state === 'ready' || row.state === 'loading'
        : !this.servedBefore.has(keyOf(source));
    });
  }

  discard(): Promise<void> {
    return this.beside.discard();
  }
}

/** @throws Error when what was built lacks something of a generation that searches can see. */
function compare(live: GenerationsRow, built: GenerationsRow | undefined): void {
  // The next round covers a generation that is newer than this one; a dropped generation is no
  // loss.
  if (built?.state !== 'failed' && built?.state !== 'ready') return;
  const which = `Generation ${live.generation} of source ${live.source_id}`;
  if (built.state === 'failed') {
    throw new Error(
      `${which} cannot be built again, so the search index stays as it was: ${built.message ?? ''}`,
    );
  }
  const { loaded_chunk_count: chunks, expected_chunk_count: expected } = built;
  if (chunks === expected || chunks === live.loaded_chunk_count) return;
  throw new Error(
    `${which} has ${chunks} chunks when built again and ${expected} in the log: the search index stays as it was`,
  );
}

function keyOf({ tenantId, sourceId, generation }: LiveSource): string {
  return `${tenantId}/${sourceId}/${generation}`;
}

function keyOfRow({
  tenant_id: tenantId,
  source_id: sourceId,
  generation,
}: GenerationsRow): string {
  return keyOf({ tenantId, sourceId, generation });
}
