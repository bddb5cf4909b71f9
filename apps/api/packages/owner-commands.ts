import { Inject, Injectable } from '@nestjs/common';

import {
  type Actor,
  type Decider,
  type DomainEvent,
  type StreamName,
  SYSTEM_TENANT,
} from '#contracts';
import {
  commandContext,
  type CommandResult,
  EVENT_STORE,
  type EventStore,
  type FoldedStream,
  handleCommand,
} from '#event-store';
import { CLOCK, type Clock } from '#platform';

/** Actor on shared packages: shared events do not show which tenant asked. */
const PACKAGES: Actor = Object.freeze({ type: 'system', id: 'packages' });
/** Actor on sources of the service itself. */
const SERVICE: Actor = Object.freeze({ type: 'system', id: 'service' });

/** A command on a stream of the tenant that a package belongs to. */
export interface OwnerCommand<Command, State, Event extends DomainEvent> {
  readonly ownerTenantId: string;
  /** Id of the request; operators also find it in the events of the tenant. */
  readonly requestId: string;
  readonly commandId: string;
  readonly stream: StreamName;
  readonly decider: Decider<Command, State, Event>;
  /** Called again after each conflict. */
  readonly decide: (state: State) => readonly Event[];
  /** The stream as read before, as in {@link handleCommand}. */
  readonly known?: FoldedStream<State>;
}

/** The write path on packages and their sources, whichever tenant asked. */
@Injectable()
export class OwnerCommands {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  run<Command, State, Event extends DomainEvent>({
    ownerTenantId,
    requestId,
    commandId,
    stream,
    decider,
    decide,
    known,
  }: OwnerCommand<Command, State, Event>): Promise<CommandResult<State, Event>> {
    const actor = ownerTenantId === SYSTEM_TENANT ? SERVICE : PACKAGES;
    return handleCommand({
      store: this.store,
      clock: this.clock,
      decider,
      stream,
      expected: 'any',
      decide,
      known,
      context: commandContext(
        this.clock,
        { tenant_id: ownerTenantId, actor, correlation_id: requestId },
        commandId,
      ),
    });
  }
}
