import type { CheckpointDelivery } from './checkpoint-delivery.js';
import type { CheckpointSigning } from './checkpoint-signing.js';

/** Age of a last checkpoint by what happened to its tenant, in milliseconds; null if none. */
export interface CheckpointAges {
  /** The newest of all tenants: it shows that signing works at all. */
  readonly signed: number | null;
  /** The oldest of tenants whose last signing failed. */
  readonly failing: number | null;
  /** The oldest of tenants whose signing stopped: trail altered, or a witness refused. */
  readonly stopped: number | null;
}

/** State of signed checkpoints in all tenants together. Anyone may see it: it names nobody. */
export interface CheckpointHealth {
  /** Tenants whose audit trail does not match its signed checkpoints. */
  readonly altered_trails: number;
  /** Those of them whose last checkpoint a witness refused. */
  readonly refused: number;
  /** Witnesses and buckets whose last answer was a failure. */
  readonly failing_keepers: number;
  /** Tenants whose newest checkpoint a witness or bucket does not have yet. */
  readonly uncopied: number;
  readonly ages_ms: CheckpointAges;
}

/** Returns the state of signing and of the copies outside. */
export function checkpointHealth(
  signing: Pick<CheckpointSigning, 'altered' | 'failing' | 'lastCheckpoints'>,
  delivery: Pick<CheckpointDelivery, 'refused' | 'failingKeepers' | 'uncopied'>,
  now: Date,
): CheckpointHealth {
  const { refused } = delivery;
  const stopped = new Set([...signing.altered, ...refused]);
  const times: { signed?: number; failing?: number; stopped?: number } = {};
  for (const [tenantId, { size, at }] of signing.lastCheckpoints()) {
    if (stopped.has(tenantId)) times.stopped = Math.min(times.stopped ?? at, at);
    else if (signing.failing.has(tenantId)) times.failing = Math.min(times.failing ?? at, at);
    else if (size > 0) times.signed = Math.max(times.signed ?? at, at);
  }
  const age = (at?: number) => (at === undefined ? null : Math.max(0, now.getTime() - at));
  return {
    altered_trails: stopped.size,
    refused: refused.length,
    failing_keepers: delivery.failingKeepers.length,
    uncopied: delivery.uncopied,
    ages_ms: {
      signed: age(times.signed),
      failing: age(times.failing),
      stopped: age(times.stopped),
    },
  };
}

/** Describes the state in one line. */
export function describeCheckpoints(health: CheckpointHealth): string {
  const { altered_trails, refused, failing_keepers, uncopied } = health;
  return (
    `${altered_trails} tenants whose trail does not match its signed checkpoints, ` +
    `${refused} of them refused by a witness; ${failing_keepers} failing witnesses or buckets, ` +
    `${uncopied} tenants whose newest checkpoint they lack`
  );
}
