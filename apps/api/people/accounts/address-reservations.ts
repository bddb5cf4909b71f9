import { Inject, Injectable } from '@nestjs/common';

import { isFootnoteError, type StreamName } from '#contracts';
import { addressDecider, userDecider } from '#domain';
import { EVENT_STORE, type EventStore, readEvent } from '#event-store';
import { CLOCK, type Clock, uuidv7 } from '#platform';

import type { Caller } from '../../auth/caller.js';
import { StreamCommands } from '../../write/stream-commands.js';
import { stepOf } from './person-caller.js';

/**
 * A reservation that no account followed for so long was left by a crash: commands give up long
 * before.
 */
const LEFT_AFTER_MS = 60_000;

/** Reservations of sign-in names. */
@Injectable()
export class AddressReservations {
  constructor(
    private readonly commands: StreamCommands,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The id of the person that a name is reserved for; null for nobody. */
  async ownerOf(fingerprint: string): Promise<string | null> {
    return (await this.latest(fingerprint))?.userId ?? null;
  }

  /** @throws FootnoteError `address_taken` */
  async reserve(caller: Caller, fingerprint: string, userId: string): Promise<void> {
    try {
      await this.append(caller, fingerprint, userId, 'ReserveAddress');
    } catch (error) {
      if (!isFootnoteError(error, 'address_taken') || !(await this.freeIfLeft(caller, fingerprint)))
        throw error;
      await this.append(caller, fingerprint, userId, 'ReserveAddress');
    }
  }

  /** Again, or of a name that is somebody else's by now, is harmless. */
  async release(caller: Caller, fingerprint: string, userId: string): Promise<void> {
    await this.append(caller, fingerprint, userId, 'ReleaseAddress');
  }

  /**
   * Frees a name whose account was never made or is closed. The stream of the account is closed
   * first: a request that still tries to make it is rejected.
   */
  private async freeIfLeft(caller: Caller, fingerprint: string): Promise<boolean> {
    const reserved = await this.latest(fingerprint);
    if (!reserved) return true;
    const { userId, at } = reserved;
    if (this.clock.now().getTime() - at < LEFT_AFTER_MS) return false;
    const { state } = await this.commands.run({
      caller,
      identity: stepOf(uuidv7(), 'void'),
      stream: `user-${userId}`,
      decider: userDecider,
      expected: 'any',
      decide: (current) =>
        userDecider.decide({ type: 'VoidRegistration', data: { user_id: userId } }, current),
    });
    if (state.status === 'active') return false;
    await this.release(caller, fingerprint, userId);
    return true;
  }

  private async append(
    caller: Caller,
    fingerprint: string,
    userId: string,
    type: 'ReserveAddress' | 'ReleaseAddress',
  ): Promise<void> {
    await this.commands.run({
      caller,
      // Not the step of any command: what counts is whose the name is now, not whose it was when
      // the command first ran.
      identity: stepOf(uuidv7(), type),
      stream: streamOf(fingerprint),
      decider: addressDecider,
      expected: 'any',
      decide: (current) => addressDecider.decide({ type, data: { user_id: userId } }, current),
    });
  }

  private async latest(
    fingerprint: string,
  ): Promise<{ readonly userId: string; readonly at: number } | null> {
    for await (const recorded of this.store.read(streamOf(fingerprint), {
      backwards: true,
      limit: 1,
    })) {
      const event = readEvent(recorded);
      if (event?.type !== 'AddressReserved') return null;
      return { userId: event.data.user_id, at: Date.parse(recorded.metadata.occurred_at) };
    }
    return null;
  }
}

function streamOf(fingerprint: string): StreamName {
  return `address-${fingerprint}`;
}
