import { type DropReason, generationDecider } from '#domain';
import { type EventStore, handleCommand } from '#event-store';
import { type Clock, type Config, uuidv5 } from '#platform';

import { systemContext } from '../log/commands.js';
import type { SourceEntry } from './source-entry.js';
import type { Tasks } from './tasks.js';

export interface DueDrop {
  readonly generation: number;
  readonly reason: DropReason;
}

export interface RetentionDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly config: { readonly limits: Pick<Config['limits'], 'retentionGenerations'> };
}

/** Drops the generations of a source that may go, each by a task of its own. */
export function dropGenerations(source: SourceEntry, dependencies: RetentionDependencies): void {
  const { tasks, config } = dependencies;
  for (const due of dueDrops(source, config.limits.retentionGenerations)) {
    const name = `drop:${source.sourceId}:${due.generation}`;
    tasks.run(name, () => dropGeneration(dependencies, source, due));
  }
}

/**
 * Returns the generations of a source that may be dropped: all of a removed one, and those of jobs
 * that ended without publishing. Also those beyond the live one and the `retained` before it. Pure.
 */
export function dueDrops(source: SourceEntry, retained: number): readonly DueDrop[] {
  const settled = source.generations.filter(({ state }) => state !== 'staged');
  if (source.removed)
    return settled.map(({ generation }) => ({ generation, reason: 'source_removed' }));
  const published = settled.filter(({ state }) => state === 'published');
  const superseded = new Set(published.slice(0, Math.max(0, published.length - 1 - retained)));
  return settled.flatMap((entry): readonly DueDrop[] => {
    const { generation, state } = entry;
    if (state === 'cancelled' || state === 'failed') return [{ generation, reason: state }];
    return superseded.has(entry) ? [{ generation, reason: 'superseded' }] : [];
  });
}

/** Drops a generation; repeated, it changes nothing. */
async function dropGeneration(
  { store, clock }: Pick<RetentionDependencies, 'store' | 'clock'>,
  { sourceId, cause }: SourceEntry,
  { generation, reason }: DueDrop,
): Promise<void> {
  const data = { source_id: sourceId, generation, reason };
  await handleCommand({
    store,
    clock,
    decider: generationDecider,
    stream: `generation-${sourceId}`,
    expected: 'any',
    decide: (state) => generationDecider.decide({ type: 'DropGeneration', data }, state),
    context: systemContext(uuidv5('drop', sourceId, String(generation)), cause, clock),
  });
}
