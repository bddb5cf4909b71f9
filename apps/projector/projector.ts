import type { EventStore } from '#event-store';
import type { BlobStore, Logger } from '#platform';
import { asProjector, liveVersion, SCHEMA, type ProjectionName, type ReadModel } from '#read-model';
import type { SearchIndex } from '#search-index';

import { INDEX_PROJECTION } from './index/index.projection.js';
import { IndexRunner } from './index/index.runner.js';
import { definitionOf } from './projection/projection.js';
import type { ProjectionHealth, ProjectorContext } from './projection/projector-context.js';
import { TABLE_PROJECTIONS } from './projections/projections.js';
import { rebuildTable, startOver, type Rebuildable, type RebuildResult } from './rebuild/rebuild.js';
import { ProjectionRunner } from './runner/projection.runner.js';
import type { SupervisedRunner } from './runner/supervised.runner.js';

export interface ProjectorEngines {
  readonly eventStore: EventStore;
  readonly readModel: ReadModel;
  readonly searchIndex: SearchIndex;
  readonly blobs: BlobStore;
  readonly logger: Logger;
  /** Events applied in one transaction at most. Default 500. */
  readonly maxBatch?: number;
}

/** Everything that makes read models and search index out of the log. */
export interface Projector {
  /** Takes every projection up where it stopped. Resolves without waiting for any to catch up. */
  start(): Promise<void>;
  /** Resolves when what is in hand is committed or rolled back. */
  stop(): Promise<void>;
  /** Resolves when every projection has applied the history that stood at the start. @throws when one cannot. */
  caughtUp(): Promise<void>;
  health(): readonly ProjectionHealth[];
  /** Builds one read model, or all one after the other, anew beside the live version, and switches. */
  rebuild(name?: ProjectionName): Promise<readonly RebuildResult[]>;
}

export function createProjector(engines: ProjectorEngines): Projector {
  return new LocalProjector(engines);
}

class LocalProjector implements Projector {
  private readonly context: ProjectorContext;
  private readonly projections: readonly Rebuildable[];
  private readonly runners = new Map<ProjectionName, SupervisedRunner>();
  /** Rebuilds run one at a time: each reads the whole log. */
  private rebuilding: Promise<unknown> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(engines: ProjectorEngines) {
    const { eventStore, readModel, logger, maxBatch = 500 } = engines;
    const { dataSource, progress } = readModel;
    this.context = { eventStore, dataSource, progress, logger, maxBatch };
    this.projections = [
      ...TABLE_PROJECTIONS.map((projection) => ({
        name: projection.name,
        table: projection.table,
        definition: definitionOf(projection),
        runner: (options: { readonly version?: number }) => new ProjectionRunner(this.context, projection, options),
      })),
      {
        name: INDEX_PROJECTION.name,
        table: INDEX_PROJECTION.table as unknown as Rebuildable['table'],
        definition: definitionOf(INDEX_PROJECTION as never),
        runner: (options: { readonly version?: number }) => new IndexRunner(this.context, engines, options),
      },
    ];
    for (const projection of this.projections) this.runners.set(projection.name, projection.runner({}));
  }

  async start(): Promise<void> {
    this.context.progress.isLocal = true;
    const head = await this.context.eventStore.head();
    for (const projection of this.projections) {
      const runner = this.runners.get(projection.name);
      switch (await this.standing(projection, head)) {
        case 'fit':
          runner?.start();
          break;
        case 'ahead':
          this.context.logger.warn({ projection: projection.name }, 'rows that the log does not back are made anew');
          await startOver(this.context, projection);
          runner?.start();
          break;
        case 'outdated':
          this.context.logger.info({ projection: projection.name }, 'rows of an older version are rebuilt');
          void this.rebuild(projection.name).then(
            () => this.stopping.signal.aborted || runner?.start(),
            (error: unknown) =>
              this.context.logger.error({ projection: projection.name, error: String(error) }, 'a rebuild failed'),
          );
      }
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.context.progress.isLocal = false;
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()));
    await this.rebuilding;
  }

  async caughtUp(): Promise<void> {
    await Promise.all([...this.runners.values()].map((runner) => runner.caughtUp()));
  }

  health(): readonly ProjectionHealth[] {
    return [...this.runners.values()].map((runner) => runner.health());
  }

  rebuild(name?: ProjectionName): Promise<readonly RebuildResult[]> {
    const chosen = this.projections.filter((projection) => name === undefined || projection.name === name);
    const work = this.rebuilding.then(async () => {
      const results: RebuildResult[] = [];
      for (const projection of chosen) results.push(await rebuildTable(this.context, projection, this.stopping.signal));
      return results;
    });
    this.rebuilding = work.catch(() => undefined);
    return work;
  }

  /**
   * `ahead`: the rows tell of events that the log does not have, because an older log was put back; `outdated`: made by
   * code that understood the projection differently; a version that nobody filled yet is taken over.
   */
  private standing({ name, definition }: Rebuildable, head: string | null): Promise<'fit' | 'ahead' | 'outdated'> {
    return asProjector(this.context.dataSource, async (manager) => {
      const live = await liveVersion(manager, name);
      if (live && live.position !== null && (head === null || live.position > head)) return 'ahead';
      if (!live || live.definition === definition) return 'fit';
      if (live.definition !== '') return 'outdated';
      await manager.query(`update ${SCHEMA}.projection_versions set definition = $2 where name = $1`, [
        name,
        definition,
      ]);
      return 'fit';
    });
  }
}
