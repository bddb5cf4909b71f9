import type { Decider, DomainEvent, StreamName } from '#contracts';
import { addressDecider, userDecider } from '#domain';
import { type EventStore, handleCommand } from '#event-store';
import { type Clock, type KeyRing, personKeys, uuidv5, uuidv7 } from '#platform';

import { type Cause, systemContext } from '../log/commands.js';
import type { LeavingPerson } from './people-ledger.js';

export interface ErasePersonDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
}

/**
 * Closes an account, destroys its personal key and frees its sign-in names; again is harmless, and
 * does what was left undone.
 */
export async function erasePerson(
  dependencies: ErasePersonDependencies,
  { userId, cause, names }: LeavingPerson,
): Promise<void> {
  const close = { type: 'CloseUser', data: {} } as const;
  await append(dependencies, cause, {
    stream: `user-${userId}`,
    commandId: uuidv5('close-user', userId),
    decider: userDecider,
    decide: (state) => userDecider.decide(close, state),
  });
  await dependencies.keyRing.destroy(personKeys(userId));
  const release = { type: 'ReleaseAddress', data: { user_id: userId } } as const;
  for (const name of names) {
    await append(dependencies, cause, {
      stream: `address-${name}`,
      // A new id each time: only the name's present owner counts.
      commandId: uuidv7(),
      decider: addressDecider,
      decide: (state) => addressDecider.decide(release, state),
    });
  }
}

async function append<Command, State, Event extends DomainEvent>(
  { store, clock }: ErasePersonDependencies,
  cause: Cause,
  step: {
    readonly stream: StreamName;
    readonly commandId: string;
    readonly decider: Decider<Command, State, Event>;
    readonly decide: (state: State) => readonly Event[];
  },
): Promise<void> {
  const { commandId, ...command } = step;
  await handleCommand({
    store,
    clock,
    ...command,
    expected: 'existing',
    context: systemContext(commandId, cause, clock),
  });
}
