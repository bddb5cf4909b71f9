import { isDeepStrictEqual } from 'node:util';

import { type DomainEvent, FootnoteError, type StreamName } from '#contracts';
import { type Clock, systemClock } from '#platform';

import { isWrongExpectedRevision, WrongExpectedRevisionError } from '../errors/append-errors.js';
import type { EventStore } from '../event-store.port.js';
import { appendSurely, pauseBefore } from './append-surely.js';
import type { CommandContext } from './command-context.js';
import { type CommandResult, type CommandRun, findCommandRun } from './command-run.js';
import { type Evolver, type FoldedStream, foldStream } from './fold-stream.js';
import { proposeEvents } from './propose-events.js';

/** The stream that a command expects: without events, with some, or either. */
export type ExpectedStream = 'new' | 'existing' | 'any';

export interface HandleCommand<State, Event> {
  readonly store: Pick<EventStore, 'read' | 'append'>;
  readonly decider: Evolver<State, Event>;
  readonly stream: StreamName;
  readonly expected: ExpectedStream;
  /**
   * Decides on the state and the revision it was read at, which is what the append expects; called
   * again after each conflict. It is asynchronous if it has to read another stream.
   */
  readonly decide: (
    state: State,
    revision: FoldedStream<State>['revision'],
  ) => readonly Event[] | Promise<readonly Event[]>;
  readonly context: CommandContext;
  /**
   * The stream as the caller read it before, in place of the first read. Only for a command that
   * cannot have run before that state. A stale state costs one conflict.
   */
  readonly known?: FoldedStream<State> | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/**
 * Runs a command: reads the stream, decides, and appends at the revision that it read. After a
 * conflict it reads and decides again; after an unknown outcome it repeats the same append. A
 * command that has run before changes nothing and gets its first result.
 * @throws FootnoteError `concurrent_change` or `engine_unavailable` at the deadline;
 * WrongExpectedRevisionError if the stream does not match `expected`; errors of `decide`.
 */
export async function handleCommand<State, Event extends DomainEvent>(
  command: HandleCommand<State, Event>,
): Promise<CommandResult<State, Event>> {
  const clock = command.clock ?? systemClock;
  for (let attempt = 0; ; attempt += 1) {
    const { folded, run } =
      attempt === 0 && command.known ? { folded: command.known, run: null } : await load(command);
    if (run) return replay(run);
    refuseUnexpected(command, folded);
    const events = await command.decide(folded.state, folded.revision);
    if (events.length === 0) {
      return { ...folded, events, appended: false, replayed: false, metadata: null };
    }
    try {
      return await write(command, folded, events, clock);
    } catch (error) {
      if (!isWrongExpectedRevision(error)) throw error;
      if (!(await pauseBefore(attempt, command.context.deadline, clock))) {
        throw new FootnoteError(
          'concurrent_change',
          'The change conflicted with other changes repeatedly; repeat the request',
          {
            retryAfter: 1,
            cause: error,
          },
        );
      }
    }
  }
}

async function load<State, Event extends DomainEvent>(
  command: HandleCommand<State, Event>,
): Promise<{
  readonly folded: FoldedStream<State>;
  readonly run: CommandRun<State, Event> | null;
}> {
  const search = findCommandRun<State, Event>(command.context.commandId);
  const folded = await foldStream(command.store, command.decider, command.stream, {
    onEvent: search.see,
  });
  return { folded, run: search.found() };
}

function replay<State, Event>(run: CommandRun<State, Event>): CommandResult<State, Event> {
  return {
    ...run.after,
    events: run.events,
    appended: false,
    replayed: true,
    metadata: run.metadata,
  };
}

function refuseUnexpected(
  { stream, expected }: { readonly stream: StreamName; readonly expected: ExpectedStream },
  folded: FoldedStream<unknown>,
): void {
  if (expected === 'new' && folded.revision !== 'none') {
    throw new WrongExpectedRevisionError(stream, 'none', folded.revision);
  }
  if (expected === 'existing' && folded.revision === 'none') {
    throw new WrongExpectedRevisionError(stream, 'exists', 'none');
  }
}

async function write<State, Event extends DomainEvent>(
  command: HandleCommand<State, Event>,
  folded: FoldedStream<State>,
  events: readonly Event[],
  clock: Clock,
): Promise<CommandResult<State, Event>> {
  const { decider, context } = command;
  const proposed = proposeEvents(events, context);
  const { revision, position } = await appendSurely(
    { store: command.store, stream: command.stream, deadline: context.deadline, clock },
    proposed,
    folded.revision,
  );
  if (context.metadata.idempotency) {
    // A request with the same key may have written at the same moment. The stored events count, not
    // the ones that this call proposed.
    const { run } = await load(command);
    if (run && !sameJson(run.metadata, proposed[0]?.metadata)) return replay(run);
  }
  const first = revision - BigInt(events.length - 1);
  return {
    state: events.reduce(
      (state, event, index) => decider.evolve(state, event, first + BigInt(index)),
      folded.state,
    ),
    events,
    revision,
    position,
    appended: true,
    replayed: false,
    metadata: proposed[0]?.metadata ?? null,
  };
}

function sameJson(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)));
}
