import { indexStage } from '#apps/pipeline/stages/index.stage';
import type { StageContext, StageOutcome } from '#apps/pipeline/stages/stage.types';
import type { ProposedEvent, StageMessage } from '#contracts';
import { type EventStore, OutcomeUnknownError } from '#event-store';
import { sleep } from '#platform';
import type { WorkQueue } from '#queue';

import { TestRepository } from './git-repository.js';
import { PipelineHarness } from './pipeline-harness.js';

export interface PipelineWithSource {
  readonly harness: PipelineHarness;
  readonly repository: TestRepository;
  /** A source of tenant `t1` with two documents, not synced yet. */
  readonly source: string;
  /** The events of a job, less those of progress. */
  readonly types: (jobId: string) => Promise<string[]>;
}

/** A pipeline that is not started, and a source to sync. The harness is to be closed. */
export async function pipelineWithSource(): Promise<PipelineWithSource> {
  const harness = await PipelineHarness.open();
  const repository = TestRepository.create(`${harness.directory.path}/repository`, {
    'a.ts': 'export const a = 1;\n',
    'b.md': '# Title\n\nText.\n',
  });
  const source = await harness.registerSource('t1', repository.url);
  const types = async (jobId: string) =>
    (await harness.types(`job-${jobId}`)).filter((type) => type !== 'JobProgressed');
  return { harness, repository, source, types };
}

/** A stage that hangs until its signal is aborted, and the time of that. */
export function hanging() {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<number>();
  const stage = async ({ signal }: StageContext): Promise<never> => {
    started.resolve();
    await sleep(60_000, signal);
    stopped.resolve(performance.now());
    throw signal.reason;
  };
  return { stage, started: started.promise, stopped: stopped.promise };
}

/** The index stage with another outcome than it found. */
export async function indexing(context: StageContext, change: object): Promise<StageOutcome> {
  return { ...(await indexStage(context)), ...change };
}

/**
 * An index stage that reports a value that no event can hold, and then continues until its signal
 * is aborted.
 */
export async function progressing(context: StageContext): Promise<StageOutcome> {
  context.report({ fraction: 0, message: 'On it', details: { files: Number.NaN } });
  await sleep(60_000, context.signal);
  throw context.signal.reason;
}

/** A queue that takes the first message of some work and forgets it. */
export function losingQueue(isLost: (message: StageMessage) => boolean) {
  const lost: string[] = [];
  const wrapQueue = (queue: WorkQueue): WorkQueue => ({
    publish: async (topic, messages) => {
      const bodies = messages.map(({ body }) => body as StageMessage);
      if (lost.length === 0 && bodies.some(isLost))
        lost.push(...bodies.map((body) => `${body.stage} ${body.attempt}`));
      else await queue.publish(topic, messages);
    },
    consume: (topic, handler, options) => queue.consume(topic, handler, options),
    deadLetters: (topic, limit) => queue.deadLetters(topic, limit),
    depth: (topic) => queue.depth(topic),
    loadCheckpoint: (name) => queue.loadCheckpoint(name),
    saveCheckpoint: (name, value) => queue.saveCheckpoint(name, value),
    close: () => queue.close(),
  });
  return { wrapQueue, lost };
}

/** A log whose failed attempts come from a machine with a clock that is an hour ahead. */
export function failuresAnHourAhead(store: EventStore): EventStore {
  const ahead = (time: string) => new Date(new Date(time).getTime() + 3_600_000).toISOString();
  const shifted = (event: ProposedEvent): ProposedEvent => {
    const retryAt = event.data['retry_at'];
    if (event.type !== 'JobStageFailed' || typeof retryAt !== 'string') return event;
    const metadata = { ...event.metadata, occurred_at: ahead(event.metadata.occurred_at) };
    return { ...event, metadata, data: { ...event.data, retry_at: ahead(retryAt) } };
  };
  return {
    ...delegated(store),
    append: (stream, events, expected) => store.append(stream, events.map(shifted), expected),
  };
}

/** A log that loses some renewals of leases. */
export function losingProgress(
  lost: (event: ProposedEvent) => boolean,
): (store: EventStore) => EventStore {
  return refusing((event) =>
    event.type === 'JobProgressed' && lost(event)
      ? new OutcomeUnknownError('job-cut', 'cut off')
      : null,
  );
}

/** A log that refuses some events. */
export function refusing(
  refusal: (event: ProposedEvent) => Error | null,
): (store: EventStore) => EventStore {
  return (store) => ({
    ...delegated(store),
    append: async (stream, events, expected) => {
      for (const event of events) {
        const error = refusal(event);
        if (error) throw error;
      }
      return store.append(stream, events, expected);
    },
  });
}

export function delegated(store: EventStore): EventStore {
  return {
    append: (stream, events, expected) => store.append(stream, events, expected),
    read: (stream, options) => store.read(stream, options),
    subscribe: (options) => store.subscribe(options),
    head: () => store.head(),
    reaches: (position) => store.reaches(position),
    deliveryVersion: store.deliveryVersion,
    close: () => store.close(),
  };
}
