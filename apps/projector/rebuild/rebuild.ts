import type { EntityManager } from 'typeorm';

import type { Position } from '#contracts';
import {
  asProjector,
  createVersionTable,
  dropVersionTable,
  liveVersion,
  type ProjectionName,
  readCheckpoint,
  type ReadTable,
  SCHEMA,
  showVersion,
  versionTable,
} from '#read-model';

import type { ProjectorContext } from '../runner/projector-context.js';
import type { SupervisedRunner } from '../runner/supervised.runner.js';

/** A projection to rebuild, with the runner that fills a version of it. */
export interface Rebuildable {
  readonly name: ProjectionName;
  readonly table: ReadTable;
  /** Identifies this code's understanding of the projection. */
  readonly definition: string;
  runner(options: { readonly version?: number }): SupervisedRunner;
  /**
   * Begins to rebuild data that the rows describe and that is no row. Absent where there is no such
   * data.
   */
  beside?(): Promise<RebuildBeside>;
}

/** Data that is rebuilt together with the rows of a version, while the old data serves. */
export interface RebuildBeside {
  /** Fills the version and what is built with it. */
  runner(options: { readonly version: number }): Promise<SupervisedRunner>;
  /**
   * Compares, and has what was built serve. @returns false while it is behind. @throws Error when
   * it is less than what serves.
   */
  show(from: number, version: number): Promise<boolean>;
  /** Removes what was built, unless it serves. */
  discard(): Promise<void>;
}

/**
 * `rows`: the read model alone, into the data that serves; `everything`: also rebuilds the data
 * that the rows describe.
 */
export type RebuildExtent = 'rows' | 'everything';

export interface RebuildResult {
  readonly name: ProjectionName;
  /** The version that queries read now, and the one they read before. */
  readonly version: number;
  readonly replaced: number;
  readonly rows: number;
  readonly rowsBefore: number;
  readonly position: Position | null;
  /** Events applied, and how long it took. */
  readonly events: number;
  readonly milliseconds: number;
}

const ROUNDS = 100;

/**
 * Builds the next version of a read model while the live one serves and is kept up to date.
 * Switches in one transaction once the new one is not behind, and drops the old one. A killed
 * rebuild leaves a table that the next rebuild drops.
 *
 * With `everything`, the data that the rows describe is rebuilt with them and serves first: it has
 * whatever either version of the rows names.
 *
 * @throws Error when another rebuild got there first, or an event cannot be read.
 */
export async function rebuildTable(
  context: ProjectorContext,
  projection: Rebuildable,
  signal: AbortSignal,
  extent: RebuildExtent = 'everything',
): Promise<RebuildResult> {
  const { dataSource, logger } = context;
  const started = performance.now();
  let events = 0;
  const { from, version } = await asProjector(dataSource, (manager) => begin(manager, projection));
  logger.info({ projection: projection.name, from, version }, 'a rebuild began');
  let beside: RebuildBeside | undefined;
  try {
    beside = extent === 'everything' ? await projection.beside?.() : undefined;
    let serves = beside === undefined;
    for (let round = 1; round <= ROUNDS; round += 1) {
      signal.throwIfAborted();
      const runner =
        beside && !serves ? await beside.runner({ version }) : projection.runner({ version });
      const abort = () => void runner.stop();
      signal.addEventListener('abort', abort);
      await runner.finished().finally(() => signal.removeEventListener('abort', abort));
      events += runner.events;
      if (beside && !serves) serves = await beside.show(from, version);
      if (!serves) continue;
      const switched = await asProjector(dataSource, (manager) =>
        trySwitch(manager, projection, from, version),
      );
      if (!switched) continue;
      const result = { ...switched, events, milliseconds: Math.round(performance.now() - started) };
      logger.info({ projection: projection.name, ...result }, 'a rebuild is live');
      return result;
    }
    throw new Error(
      `The rebuild of ${projection.name} did not catch up with its live version in ${ROUNDS} rounds`,
    );
  } catch (error) {
    await asProjector(dataSource, async (manager) => {
      const live = await liveVersion(manager, projection.name);
      if (live?.version !== version) await dropVersionTable(manager, projection.table, version);
    });
    throw error;
  } finally {
    await beside?.discard();
  }
}

/**
 * Shows an empty next version at once and drops the live one: for rows that the log does not back,
 * which must not be served.
 */
export function startOver(
  { dataSource }: ProjectorContext,
  projection: Rebuildable,
): Promise<void> {
  const { name, table, definition } = projection;
  return asProjector(dataSource, async (manager) => {
    const { from, version } = await begin(manager, projection);
    await showVersion(manager, table, version, definition);
    await dropVersionTable(manager, { name }, from);
  });
}

async function begin(manager: EntityManager, { name, table }: Rebuildable) {
  const live = await liveVersion(manager, name);
  if (!live) throw new Error(`Read model ${name} was never made: the migrations did not run`);
  const version = live.version + 1;
  // The table of a killed rebuild. A rebuild that still runs elsewhere notices: its checkpoint is
  // gone.
  await dropVersionTable(manager, table, version);
  await createVersionTable(manager, table, version);
  return { from: live.version, version };
}

/**
 * Undefined while the new version is behind the live one: readers must never see rows go back in
 * time.
 */
async function trySwitch(
  manager: EntityManager,
  projection: Rebuildable,
  from: number,
  version: number,
): Promise<Omit<RebuildResult, 'events' | 'milliseconds'> | undefined> {
  const { name, table } = projection;
  // Waits for the live runner's transaction, and blocks the runner until the switch is done.
  await manager.query(
    `select 1 from ${SCHEMA}.checkpoints where projection = $1 and version = $2 for update`,
    [name, from],
  );
  const live = await liveVersion(manager, name);
  if (live?.version !== from) throw new Error(`Another rebuild of ${name} got there first`);
  const position = await readCheckpoint(manager, { name, version });
  if (position === undefined) throw new Error(`Another rebuild of ${name} took its place`);
  if (live.position !== null && (position === null || position < live.position)) return undefined;
  const rows = await countRows(manager, versionTable(table, version));
  const rowsBefore = await countRows(manager, versionTable(table, from));
  await showVersion(manager, table, version, projection.definition);
  await dropVersionTable(manager, table, from);
  return { name, version, replaced: from, rows, rowsBefore, position };
}

async function countRows(manager: EntityManager, table: string): Promise<number> {
  const [row] = await manager.query<{ rows: number }[]>(
    `select count(*)::int as rows from ${table}`,
  );
  return row?.rows ?? 0;
}
