import { Gauge, type Registry } from 'prom-client';

import type { CheckpointHealth } from './checkpoint-health.js';

/**
 * Registers the metrics of signed checkpoints and their copies.
 * @param read returns the state; called for each metric of a collection.
 */
export function registerCheckpointMetrics(registry: Registry, read: () => CheckpointHealth): void {
  const registers = [registry];
  const count = (name: string, help: string, valueOf: (health: CheckpointHealth) => number) =>
    new Gauge({
      name: `footnote_audit_${name}`,
      help,
      registers,
      collect() {
        this.set(valueOf(read()));
      },
    });
  count(
    'altered_trails',
    'Tenants whose audit trail does not match its signed checkpoints, so nothing is signed.',
    ({ altered_trails }) => altered_trails,
  );
  count(
    'refused_trails',
    'Tenants whose last checkpoint a witness refused, so nothing is signed.',
    ({ refused }) => refused,
  );
  count(
    'failing_keepers',
    'Witnesses and buckets whose last answer about a checkpoint was a failure.',
    ({ failing_keepers }) => failing_keepers,
  );
  count(
    'uncopied_checkpoints',
    'Tenants whose newest checkpoint a witness or bucket does not have.',
    ({ uncopied }) => uncopied,
  );
  new Gauge({
    name: 'footnote_audit_checkpoint_age_seconds',
    help: 'Age of the last checkpoint: the newest of signed, the oldest of failing and stopped tenants.',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      for (const [state, ms] of Object.entries(read().ages_ms) as [string, number | null][])
        if (ms !== null) this.set({ state }, ms / 1_000);
    },
  });
}
