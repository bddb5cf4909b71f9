import {
  isOpenRoverJob,
  type OpenRoverJob,
  roverDecider,
  RoverLeaseLost,
  roverPlaces,
} from '#domain';
import { foldStream } from '#event-store';
import type { ChatModel } from '#models';
import { type KeyRing, openParts, uuidv7 } from '#platform';

import type { Cause } from '../log/commands.js';
import { AttemptEnded, ProcessStops } from '../worker/active-runs.js';
import { ModelPlanner } from './model-planner.js';
import { ResultWriter } from './result-writer.js';
import { RoverLease } from './rover-lease.js';
import { RoverScript, type RoverScriptDependencies } from './rover-script.js';
import { RoverJobFailure } from './step-failure.js';
import { StepOutputs, type StepOutputsDependencies } from './step-outputs.js';
import { StepRunner, type StepRunnerDependencies } from './step-runner.js';

export type RunRoverJobDependencies = Pick<StepRunnerDependencies, 'clock' | 'logger'> &
  Pick<StepOutputsDependencies, 'keyRing'> &
  Omit<
    RoverScriptDependencies,
    'tenantId' | 'question' | 'lease' | 'steps' | 'signal' | 'blobs' | 'planner'
  > & {
    readonly store: ConstructorParameters<typeof RoverLease>[0]['store'];
    readonly blobs: StepOutputsDependencies['blobs'];
    readonly leaseMs: number;
    /** Plans and drafts; null without a model. */
    readonly chatModel: ChatModel | null;
  };

/**
 * Works on an open job until it ends: continues after its last stored step.
 * @param controller aborted when the job is cancelled or the process stops.
 * @throws errors of the log, after which the job is tried again.
 */
export async function runRoverJob(
  dependencies: RunRoverJobDependencies,
  { roverJobId, cause }: { readonly roverJobId: string; readonly cause: Cause },
  controller: AbortController,
): Promise<void> {
  const { store, clock, leaseMs } = dependencies;
  const { state, revision } = await foldStream(store, roverDecider, `rover-${roverJobId}`);
  if (!isOpenRoverJob(state) || revision === 'none') return;
  const executionId = uuidv7();
  const lease = new RoverLease({
    store,
    clock,
    job: state,
    revision,
    executionId,
    cause,
    leaseMs,
    controller,
  });
  const worker = uuidv7();
  try {
    await work(dependencies, { lease, worker }, cause.tenantId, controller.signal);
  } catch (error) {
    const { signal } = controller;
    const failure: unknown = signal.aborted ? signal.reason : error;
    if (failure instanceof ProcessStops) return await release(dependencies, lease, worker);
    if (failure instanceof AttemptEnded || failure instanceof RoverLeaseLost) return;
    if (!(failure instanceof RoverJobFailure)) throw failure;
    const failed_at = clock.now().toISOString();
    const { message: error_message } = failure;
    await lease.write({ type: 'FailRoverJob', data: { error_message, failed_at } });
  } finally {
    await lease.end();
  }
}

/** Releases the lease of a process that stops; without it the lease runs out. */
async function release(
  { logger }: RunRoverJobDependencies,
  lease: RoverLease,
  worker: string,
): Promise<void> {
  await lease.end();
  await lease.release(worker).catch((error: unknown) => {
    const { rover_job_id } = lease.job;
    logger.warn({ err: error, rover_job_id }, 'rover: the lease was not released; it runs out');
  });
}

async function work(
  dependencies: RunRoverJobDependencies,
  { lease, worker }: { readonly lease: RoverLease; readonly worker: string },
  tenantId: string,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger, keyRing, blobs, chatModel: model } = dependencies;
  const { rover_job_id: roverJobId } = lease.job;
  const question = await openQuestion(keyRing, tenantId, lease.job);
  const outputs = new StepOutputs({ blobs, keyRing, tenantId, roverJobId });
  const steps = new StepRunner({ lease, outputs, clock, logger, worker, signal });
  const planner = new ModelPlanner({ model, lease, steps, logger, signal });
  const job = { tenantId, question, lease, steps, signal, planner };
  const script = new RoverScript({ ...dependencies, ...job });
  const writer = new ResultWriter({ lease, steps, outputs, keyRing, tenantId, signal });
  await writer.write(await script.run());
}

async function openQuestion(
  keyRing: KeyRing,
  tenantId: string,
  { rover_job_id, question }: OpenRoverJob,
): Promise<string> {
  const place = { tenantId, boundTo: roverPlaces.question(rover_job_id) };
  const text = await openParts(keyRing, place, question);
  if (text === null)
    throw new RoverJobFailure('The question cannot be read: its key was destroyed');
  return text;
}
