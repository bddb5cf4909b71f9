import type { EntityManager } from 'typeorm';

import type { Position } from '#contracts';

import { SCHEMA } from '../schema.js';

/**
 * The channel on which PostgreSQL announces each commit of a live version: projection name and
 * position.
 */
export const PROGRESS_CHANNEL = 'footnote_progress';

/** Names the rows that a checkpoint belongs to. */
export interface ProjectionVersion {
  readonly name: string;
  readonly version: number;
}

/**
 * Outcome of a step from one position to the next. Only after `advanced` may rows be written.
 *
 * - `advanced`: the step was taken; commit the rows with it.
 * - `ignored`: the stored position is at or beyond the end of the step, so another process did the
 *   work.
 * - `mismatch`: the stored position is not the start of the step, or the version is gone.
 * - `ahead`: the step starts beyond the stored position, so taking it would leave a gap.
 */
export type Advance =
  | { readonly outcome: 'advanced' }
  | {
      readonly outcome: 'ignored' | 'mismatch' | 'ahead';
      readonly stored: Position | null | undefined;
    };

/**
 * Returns the position of a version: null before its first batch, undefined if there is no such
 * version.
 */
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
 * Sets a checkpoint by compare-and-set, in the transaction that writes the rows; the row stays
 * locked until its end. For the version that queries read, listeners are notified at the commit.
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
             then pg_notify('${PROGRESS_CHANNEL}', projection || ' ' || position) end as notified`,
    [name, version, from, to, happenedAt],
  );
  if (taken.length === 1) return { outcome: 'advanced' };
  const stored = await readCheckpoint(manager, { name, version });
  return { outcome: classify(stored, from, to), stored };
}

/**
 * Notifies listeners that rows of a version changed while its checkpoint did not.
 * @returns its position, null before it began.
 */
export async function notifyProgress(
  manager: EntityManager,
  { name, version }: ProjectionVersion,
): Promise<Position | null> {
  const [row] = await manager.query<{ position: Position }[]>(
    `select position,
        case when version = (select live_version from ${SCHEMA}.projection_versions where name = projection)
             then pg_notify('${PROGRESS_CHANNEL}', projection || ' ' || position) end as notified
       from ${SCHEMA}.checkpoints where projection = $1 and version = $2 and position is not null`,
    [name, version],
  );
  return row?.position ?? null;
}

function classify(stored: Position | null | undefined, from: Position | null, to: Position) {
  if (stored === undefined) return 'mismatch';
  if (stored !== null && stored >= to) return 'ignored';
  if (from !== null && (stored === null || stored < from)) return 'ahead';
  return 'mismatch';
}
