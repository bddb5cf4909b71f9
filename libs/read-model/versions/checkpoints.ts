import type { EntityManager } from 'typeorm';

import type { Position } from '#contracts';

import { SCHEMA } from '../schema.js';

/** Where PostgreSQL tells each commit of a live version: the projection's name and its position. */
export const PROGRESS_CHANNEL = 'footnote_progress';

/** Names the rows that a checkpoint belongs to. */
export interface ProjectionVersion {
  readonly name: string;
  readonly version: number;
}

/**
 * What became of a step from one position to the next: `advanced` — taken, commit the rows with it;
 * `ignored` — what is stored is at or beyond the step's end, somebody did the work; `mismatch` —
 * something else is stored than the step starts from, or the version is gone; `ahead` — the step
 * starts beyond what is stored, so taking it would leave a gap. Only after `advanced` may rows be
 * written.
 */
export type Advance =
  | { readonly outcome: 'advanced' }
  | {
      readonly outcome: 'ignored' | 'mismatch' | 'ahead';
      readonly stored: Position | null | undefined;
    };

/** Where a version stands: null before its first batch, undefined when there is no such version. */
export async function readCheckpoint(
  manager: EntityManager,
  { name, version }: ProjectionVersion,
): Promise<Position | null | undefined> {
  const [row] = await manager.query<{ position: Position | null }[]>(
    `select position from ${SCHEMA}.checkpoints where projection = $1 and version = $2`,
    [name, version],
  );
  return row?.position;
}

/**
 * Compare-and-set of a checkpoint inside the transaction that writes the rows; the row stays locked
 * until its end. Who listens hears of it once it is committed, where it is what queries see.
 */
export async function advanceCheckpoint(
  manager: EntityManager,
  { name, version }: ProjectionVersion,
  from: Position | null,
  to: Position,
  happenedAt: string | null,
): Promise<Advance> {
  const [taken] = await manager.query<[{ position: string }[], number]>(
    `update ${SCHEMA}.checkpoints set position = $4, updated_at = coalesce($5::timestamptz, updated_at)
      where projection = $1 and version = $2 and position is not distinct from $3
      returning position,
        case when version = (select live_version from ${SCHEMA}.projection_versions where name = projection)
             then pg_notify('${PROGRESS_CHANNEL}', projection || ' ' || position) end as told`,
    [name, version, from, to, happenedAt],
  );
  if (taken.length === 1) return { outcome: 'advanced' };
  const stored = await readCheckpoint(manager, { name, version });
  return { outcome: judge(stored, from, to), stored };
}

/**
 * Tells who listens that rows of a version changed while its checkpoint stood. @returns where it
 * stands, null before it began.
 */
export async function tellProgress(
  manager: EntityManager,
  { name, version }: ProjectionVersion,
): Promise<Position | null> {
  const [row] = await manager.query<{ position: Position }[]>(
    `select position,
        case when version = (select live_version from ${SCHEMA}.projection_versions where name = projection)
             then pg_notify('${PROGRESS_CHANNEL}', projection || ' ' || position) end as told
       from ${SCHEMA}.checkpoints where projection = $1 and version = $2 and position is not null`,
    [name, version],
  );
  return row?.position ?? null;
}

function judge(stored: Position | null | undefined, from: Position | null, to: Position) {
  if (stored === undefined) return 'mismatch';
  if (stored !== null && stored >= to) return 'ignored';
  if (from !== null && (stored === null || stored < from)) return 'ahead';
  return 'mismatch';
}
