import { type Actor, isReservedTenant, SYSTEM_TENANT } from '#contracts';
import { type OperatorCommand, operatorDecider, tenantDecider } from '#domain';
import {
  commandContext,
  type CommandOrigin,
  type EventStore,
  foldStream,
  handleCommand,
} from '#event-store';
import { type Clock, type KeyRing, uuidv5, uuidv7 } from '#platform';

import type { Operator } from './operator.js';

export interface RecordedRunDependencies {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>;
  readonly keyRing: Pick<KeyRing, 'seal'>;
  readonly clock: Clock;
}

/** A command that an operator runs. */
export interface OperatorAct {
  readonly command: string;
  readonly operator: Operator;
  /** Tenant that the command names, as the operator typed it. */
  readonly tenantId: string | null;
}

/** The run of a command: the origin of its effects. */
export interface OperatorRun {
  readonly actor: Actor;
  /** Id of the run, and correlation id of its effects. */
  readonly correlation_id: string;
}

/** Returns the sealing context of the reason of a run. */
export function operatorReasonContext(runId: string): string {
  return `operator-${runId}/reason`;
}

/**
 * Runs a command between two events, its start and its end, in the trail of the operator. A tenant
 * that the command names has the start in its own trail too.
 * @throws Error if the start cannot be recorded, and then does nothing; Error if the end cannot;
 * the error of the work.
 */
export async function recordedRun<T>(
  dependencies: RecordedRunDependencies,
  act: OperatorAct,
  work: (run: OperatorRun) => Promise<T>,
): Promise<T> {
  const { command, operator } = act;
  const run = {
    actor: { type: 'operator', id: operator.user, name: command },
    correlation_id: uuidv7(),
  } as const;
  const refused = `${command} did nothing, because the event log did not record it`;
  await recorded(refused, () => start(dependencies, act, run));
  const end = (outcome: 'completed' | 'failed') => {
    const data = { run_id: run.correlation_id, command, outcome };
    return append(dependencies, run, SYSTEM_TENANT, { type: 'EndOperatorCommand', data });
  };
  let result: T;
  try {
    result = await work(run);
  } catch (error) {
    // The failure itself is more important to the operator than its record.
    await end('failed').catch(() => undefined);
    throw error;
  }
  const unrecorded = `${command} was carried out, but the event log did not record its end`;
  await recorded(unrecorded, () => end('completed'));
  return result;
}

async function start(
  dependencies: RecordedRunDependencies,
  { command, operator, tenantId }: OperatorAct,
  run: OperatorRun,
): Promise<void> {
  const run_id = run.correlation_id;
  const status = tenantId === null ? 'absent' : await statusOf(dependencies, tenantId);
  const tenant_id = status === 'absent' ? null : tenantId;
  // Nothing new is sealed for a tenant that is being erased: its trail has the erasure itself.
  const own = tenant_id !== null && status === 'active' ? [tenant_id] : [];
  for (const trail of [SYSTEM_TENANT, ...own]) {
    const reason =
      operator.reason === null
        ? null
        : await dependencies.keyRing.seal(trail, operatorReasonContext(run_id), operator.reason);
    const data = { run_id, command, tenant_id, reason };
    await append(dependencies, run, trail, { type: 'StartOperatorCommand', data });
  }
}

async function append(
  { eventStore: store, clock }: RecordedRunDependencies,
  run: OperatorRun,
  trail: string,
  command: OperatorCommand,
): Promise<void> {
  const runId = run.correlation_id;
  const origin: CommandOrigin = { ...run, tenant_id: trail };
  const streamId = trail === SYSTEM_TENANT ? runId : uuidv5('operator', runId, trail);
  await handleCommand({
    store,
    clock,
    decider: operatorDecider,
    stream: `operator-${streamId}`,
    expected: 'any',
    decide: (state) => operatorDecider.decide(command, state),
    context: commandContext(clock, origin, uuidv5('operator', runId, trail, command.type)),
  });
}

async function recorded(message: string, record: () => Promise<void>): Promise<void> {
  try {
    await record();
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}: ${problem}`, { cause: error });
  }
}

async function statusOf(
  { eventStore }: RecordedRunDependencies,
  tenantId: string,
): Promise<'absent' | 'active' | 'erasing' | 'erased'> {
  if (isReservedTenant(tenantId) || !/^[0-9a-f-]{36}$/.test(tenantId)) return 'absent';
  const { state } = await foldStream(eventStore, tenantDecider, `tenant-${tenantId}`);
  return state.status;
}
