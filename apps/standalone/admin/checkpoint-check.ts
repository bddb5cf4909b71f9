import type { AuditCheckpointEvent } from '#contracts';
import { auditCheckpointDecider, type AuditCheckpointState, witnessAnswer } from '#domain';
import { type EventStore, type RecordedDomainEvent, upcast } from '#event-store';
import type { CheckpointKeeper } from '#transparency';

import type { DoctorCheck } from './doctor-check.js';

export interface CheckpointCheckDependencies {
  readonly store: Pick<EventStore, 'read'>;
  /** Witnesses and buckets in use. */
  readonly keepers: readonly Pick<CheckpointKeeper, 'name' | 'isDone'>[];
  readonly now: Date;
}

/** Maximum number of named tenants of each kind. */
const SHOWN = 10;
/** A newest checkpoint has this time to reach witnesses and buckets, milliseconds. */
const COPY_MS = 10 * 60_000;

/**
 * Names tenants whose last checkpoint a witness refused, which stops their signing. Also names
 * those whose checkpoint a witness or bucket does not have after ten minutes.
 */
export async function checkpointCheck(
  { store, keepers, now }: CheckpointCheckDependencies,
  tenants: readonly { readonly id: string; readonly erasure_requested_at: string | null }[],
): Promise<DoctorCheck> {
  const refused: string[] = [];
  const uncopied: string[] = [];
  let signed = 0;
  for (const { id, erasure_requested_at } of tenants) {
    if (erasure_requested_at !== null) continue;
    const newest = await newestCheckpoint(store, id);
    if (!newest) continue;
    signed += 1;
    const { state, signedAt } = newest;
    const age = now.getTime() - Date.parse(signedAt);
    for (const keeper of keepers) {
      const line = `${id} (${keeper.name}, ${state.last?.size} records, ${signedAt})`;
      if (witnessAnswer(state, keeper.name).refused) refused.push(line);
      else if (!keeper.isDone(state) && age > COPY_MS) uncopied.push(line);
    }
  }
  const parts = [
    `newest checkpoints of ${signed} tenants, ${keepers.length} witnesses and buckets`,
    ...named('refused by a witness, so nothing more is signed', refused),
    ...named('not copied', uncopied),
  ];
  const state = refused.length > 0 ? 'failed' : uncopied.length > 0 ? 'warning' : 'ok';
  return { name: 'signed checkpoints', state, detail: parts.join('; ') };
}

function named(what: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > SHOWN ? ` and ${lines.length - SHOWN} more` : '';
  return [`${what}: ${lines.slice(0, SHOWN).join(', ')}${more}`];
}

/**
 * Reads the newest checkpoint and its answers, which come after it: a few events from the end of
 * the stream, however long it is.
 */
async function newestCheckpoint(
  store: Pick<EventStore, 'read'>,
  tenantId: string,
): Promise<{ readonly state: AuditCheckpointState; readonly signedAt: string } | null> {
  const answers: RecordedDomainEvent[] = [];
  for await (const recorded of store.read(`checkpoint-${tenantId}`, { backwards: true })) {
    const read = upcast(recorded);
    if (read.kind !== 'known') continue;
    answers.unshift(read.event);
    if (read.event.type !== 'CheckpointSigned') continue;
    const state = answers.reduce(
      (folded, event) =>
        auditCheckpointDecider.evolve(
          folded,
          event as RecordedDomainEvent & AuditCheckpointEvent,
          event.revision,
        ),
      auditCheckpointDecider.initial,
    );
    return { state, signedAt: read.event.metadata.occurred_at };
  }
  return null;
}
