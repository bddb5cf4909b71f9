import { Inject, Injectable } from '@nestjs/common';

import { type Decider, type DomainEvent, FootnoteError, type StreamName } from '#contracts';
import {
  commandContext,
  type CommandResult,
  EVENT_STORE,
  type EventStore,
  handleCommand,
} from '#event-store';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import type { CommandIdentity } from './command-identity.js';

/** One command on one stream. */
export interface StreamCommand<Command, State, Event extends DomainEvent> {
  readonly caller: Caller;
  readonly identity: CommandIdentity;
  readonly stream: StreamName;
  readonly decider: Decider<Command, State, Event>;
  /**
   * `new`: the stream is empty or holds this very command; `existing`: it is the caller's tenant's,
   * or `absent` is thrown.
   */
  readonly expected: 'new' | 'existing' | 'any';
  /** Called again after each conflict. The append expects the revision that it receives. */
  readonly decide: (
    state: State,
    revision: 'none' | bigint,
  ) => readonly Event[] | Promise<readonly Event[]>;
  /**
   * True if the stream of an `expected: 'new'` is almost certainly empty: it is read only after a
   * conflict.
   */
  readonly unread?: boolean;
  /** Error for streams of other tenants and for missing streams. */
  readonly absent?: () => FootnoteError;
}

/**
 * The write path: loads, folds, decides and appends for a caller, with everything auditors want in
 * the metadata.
 */
@Injectable()
export class StreamCommands {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws FootnoteError what the decider refuses, or `concurrent_change` after the deadline.
   */
  async run<Command, State, Event extends DomainEvent>(
    command: StreamCommand<Command, State, Event>,
  ): Promise<CommandResult<State, Event>> {
    const { caller, identity, stream, decider } = command;
    return handleCommand({
      store:
        command.expected === 'existing'
          ? this.ownOnly(caller.tenantId, command.absent)
          : this.store,
      decider,
      stream,
      expected: command.expected,
      decide: command.decide,
      context: commandContext(
        this.clock,
        {
          tenant_id: caller.tenantId,
          actor: caller.actor,
          correlation_id: caller.requestId,
          http: caller.http,
          ...(identity.idempotency ? { idempotency: identity.idempotency } : {}),
        },
        identity.commandId,
      ),
      clock: this.clock,
      ...(command.unread && {
        known: { state: decider.initial, revision: 'none', position: null },
      }),
    });
  }

  /**
   * The store, for commands on streams of one tenant: another tenant's answers exactly as one that
   * does not exist.
   */
  private ownOnly(
    tenantId: string,
    absent = () => new FootnoteError('not_found', 'Resource not found'),
  ): Pick<EventStore, 'read' | 'append'> {
    const { store } = this;
    return {
      append: (stream, events, expected) => store.append(stream, events, expected),
      async *read(stream, options) {
        let isOwn = false;
        for await (const event of store.read(stream, options)) {
          isOwn ||= event.metadata.tenant_id === tenantId;
          if (!isOwn) throw absent();
          yield event;
        }
        if (!isOwn) throw absent();
      },
    };
  }
}
