import { checkAuditCatalogue } from '#audit';
import type { EventStore } from '#event-store';
import {
  aborted,
  alwaysHeld,
  type BlobStore,
  type LeaseHolder,
  type Logger,
  NO_TRACER,
  sleep,
  type Tracer,
} from '#platform';
import { asProjector, liveVersion, type ProjectionName, type ReadModel, SCHEMA } from '#read-model';
import type { LiveSource, SearchIndex } from '#search-index';

import { AUDIT_PROJECTION, AuditBatches } from './audit/audit.projection.js';
import { auditChanges } from './audit/audit-changes.js';
import { GenerationRows } from './index/generation-rows.js';
import { INDEX_PROJECTION } from './index/index.projection.js';
import { IndexRunner } from './index/index.runner.js';
import { TABLE_PROJECTIONS } from './projections/projections.js';
import { IndexRebuild } from './rebuild/index-rebuild.js';
import {
  type Rebuildable,
  type RebuildExtent,
  type RebuildResult,
  rebuildTable,
  startOver,
} from './rebuild/rebuild.js';
import { tableBatches } from './runner/batch-projection.js';
import { retryDelay } from './runner/pauses.js';
import { definitionOf } from './runner/projection.js';
import { ProjectionRunner } from './runner/projection.runner.js';
import type { ProjectionHealth, ProjectorContext } from './runner/projector-context.js';
import type { SupervisedRunner } from './runner/supervised.runner.js';

export interface ProjectorDependencies {
  readonly eventStore: EventStore;
  readonly readModel: ReadModel;
  readonly searchIndex: SearchIndex;
  readonly blobs: BlobStore;
  readonly logger: Logger;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer;
  /**
   * Decides, for each projection, which of several processes maintains it. Default: this one alone.
   */
  readonly leases?: LeaseHolder;
  /** Events applied in one transaction at most. Default 500. */
  readonly maxBatch?: number;
}

/** Everything that makes read models and search index out of the log. */
export interface Projector {
  /**
   * Takes every projection up where it stopped, once its lease is held. Resolves without waiting
   * for any to catch up.
   */
  start(): Promise<void>;
  /** Resolves when what is in hand is committed or rolled back. */
  stop(): Promise<void>;
  /**
   * Resolves when every projection has applied the history that the log had at the start.
   *
   * @throws when one cannot.
   */
  caughtUp(): Promise<void>;
  health(): readonly ProjectionHealth[];
  /**
   * Records missing content of a loaded generation in its row; null means that nothing is missing.
   */
  noteContent(source: LiveSource, message: string | null): Promise<void>;
  /**
   * Rebuilds one read model, or all one after the other, while the live version serves, and
   * switches. A rebuild of the generations rebuilds the search index too. With `rows` the index
   * stays as it is: only the rows are rebuilt.
   */
  rebuild(name?: ProjectionName, extent?: RebuildExtent): Promise<readonly RebuildResult[]>;
  /** Empties every read model, to be filled from the start of the log. Only before `start`. */
  startOver(): Promise<void>;
}

export function createProjector(dependencies: ProjectorDependencies): Projector {
  return new LocalProjector(dependencies);
}

class LocalProjector implements Projector {
  private readonly context: ProjectorContext;
  private readonly projections: readonly Rebuildable[];
  private readonly runners = new Map<ProjectionName, SupervisedRunner>();
  /** Rebuilds run one at a time: each reads the whole log. */
  private rebuilding: Promise<unknown> = Promise.resolve();
  private readonly stopping = new AbortController();
  private readonly leases: LeaseHolder;
  private holding: Promise<void>[] = [];
  /** The projections whose lease this process holds. */
  private readonly held = new Set<ProjectionName>();

  constructor(dependencies: ProjectorDependencies) {
    checkAuditCatalogue();
    const { eventStore, readModel, logger, tracer = NO_TRACER, maxBatch = 500 } = dependencies;
    const { dataSource, progress } = readModel;
    this.leases = dependencies.leases ?? alwaysHeld();
    const onPassedOver = (name: ProjectionName) => this.rebuildLater(name);
    this.context = { eventStore, dataSource, progress, logger, tracer, maxBatch, onPassedOver };
    this.projections = [
      ...TABLE_PROJECTIONS.map((projection) => ({
        name: projection.name,
        table: projection.table,
        definition: definitionOf(projection, eventStore.deliveryVersion),
        runner: (options: { readonly version?: number }) =>
          new ProjectionRunner(this.context, tableBatches(projection), options),
      })),
      {
        name: AUDIT_PROJECTION.name,
        table: AUDIT_PROJECTION.table as unknown as Rebuildable['table'],
        definition: definitionOf(AUDIT_PROJECTION, eventStore.deliveryVersion),
        runner: (options: { readonly version?: number }) =>
          new ProjectionRunner(this.context, new AuditBatches(auditChanges(eventStore)), options),
      },
      {
        name: INDEX_PROJECTION.name,
        table: INDEX_PROJECTION.table as unknown as Rebuildable['table'],
        definition: definitionOf(INDEX_PROJECTION, eventStore.deliveryVersion),
        runner: (options: { readonly version?: number }) =>
          new IndexRunner(this.context, dependencies, options),
        beside: () => IndexRebuild.begin(this.context, dependencies),
      },
    ];
    for (const projection of this.projections)
      this.runners.set(projection.name, projection.runner({}));
  }

  async start(): Promise<void> {
    this.context.progress.isLocal = this.leases.soleProcess;
    const { signal } = this.stopping;
    this.holding = this.projections.map((projection) =>
      this.leases.hold(`projection:${projection.name}`, (held) => this.keep(projection, held), {
        signal,
      }),
    );
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.context.progress.isLocal = false;
    await Promise.all(this.holding);
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()));
    await this.rebuilding;
  }

  async caughtUp(): Promise<void> {
    await Promise.all([...this.runners.values()].map((runner) => runner.caughtUp()));
  }

  health(): readonly ProjectionHealth[] {
    return [...this.runners].map(([name, runner]) => {
      const health = runner.health();
      const standsBy =
        this.holding.length > 0 && !this.stopping.signal.aborted && !this.held.has(name);
      return standsBy ? { name, position: null, lag: 0, state: 'standby' } : health;
    });
  }

  async noteContent(source: LiveSource, message: string | null): Promise<void> {
    const { dataSource, progress } = this.context;
    const live = await asProjector(dataSource, (manager) =>
      liveVersion(manager, INDEX_PROJECTION.name),
    );
    if (!live) return;
    const rows = new GenerationRows(dataSource, live.version);
    if (!(await rows.note(source, message))) return;
    const position = await rows.tell();
    if (position !== null) progress.report(INDEX_PROJECTION.name, position);
  }

  rebuild(
    name?: ProjectionName,
    extent: RebuildExtent = 'everything',
  ): Promise<readonly RebuildResult[]> {
    const chosen = this.projections.filter(
      (projection) => name === undefined || projection.name === name,
    );
    const work = this.rebuilding.then(async () => {
      const results: RebuildResult[] = [];
      const { signal } = this.stopping;
      for (const projection of chosen)
        results.push(await rebuildTable(this.context, projection, signal, extent));
      return results;
    });
    this.rebuilding = work.catch(() => undefined);
    return work;
  }

  async startOver(): Promise<void> {
    for (const projection of this.projections) await startOver(this.context, projection);
  }

  /** Maintains one projection until the signal aborts. */
  private async keep(projection: Rebuildable, signal: AbortSignal): Promise<void> {
    const runner = this.unstarted(projection);
    const stop = () => void runner.stop();
    signal.addEventListener('abort', stop, { once: true });
    this.held.add(projection.name);
    try {
      await this.makeFit(projection, signal);
      if (!signal.aborted) runner.start();
      await aborted(signal);
    } finally {
      this.held.delete(projection.name);
      signal.removeEventListener('abort', stop);
      await runner.stop();
    }
  }

  /**
   * Rebuilds rows that the log does not back or that other code wrote; retries while an engine is
   * unavailable.
   */
  private async makeFit(projection: Rebuildable, signal: AbortSignal): Promise<void> {
    const { logger } = this.context;
    const { name } = projection;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        switch (await this.standing(projection)) {
          case 'fit':
            return;
          case 'ahead':
            logger.warn({ projection: name }, 'building rows again that the log does not confirm');
            return await startOver(this.context, projection);
          case 'outdated':
            logger.info({ projection: name }, 'rows of an older version are rebuilt');
            return void (await this.rebuild(name, 'rows'));
        }
      } catch (error) {
        if (!signal.aborted)
          logger.error(
            { projection: name, error: String(error) },
            'a projection could not be taken up',
          );
        await sleep(retryDelay(attempt), signal);
      }
    }
  }

  /** Rebuilds rows that may lack an event, while they keep serving. */
  private rebuildLater(name: ProjectionName): void {
    this.rebuild(name, 'rows').catch((error: unknown) => {
      if (this.stopping.signal.aborted) return;
      this.context.logger.error(
        { projection: name, err: error },
        'rows that may lack an event could not be rebuilt',
      );
    });
  }

  /** A runner runs once: each time the lease is taken, the projection gets one that has not. */
  private unstarted(projection: Rebuildable): SupervisedRunner {
    const known = this.runners.get(projection.name);
    if (known?.isFresh) return known;
    const runner = projection.runner({});
    this.runners.set(projection.name, runner);
    return runner;
  }

  /**
   * Compares the rows with the log and with this code. `ahead`: the rows contain events that the
   * log does not have, because an older log was restored. `outdated`: code with another definition
   * wrote them. A version that nobody filled yet is taken over.
   */
  private async standing({ name, definition }: Rebuildable): Promise<'fit' | 'ahead' | 'outdated'> {
    const { dataSource, eventStore } = this.context;
    const live = await asProjector(dataSource, (manager) => liveVersion(manager, name));
    if (live && live.position !== null && !(await eventStore.reaches(live.position)))
      return 'ahead';
    if (!live || live.definition === definition) return 'fit';
    if (live.definition !== '') return 'outdated';
    const adopt = `update ${SCHEMA}.projection_versions set definition = $2 where name = $1`;
    await asProjector(dataSource, (manager) => manager.query(adopt, [name, definition]));
    return 'fit';
  }
}
