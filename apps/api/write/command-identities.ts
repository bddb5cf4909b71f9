import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { idempotencyKeyDecider } from '#domain';
import { CLOCK, type Clock, uuidv5, uuidv7 } from '#platform';

import type { Caller } from '../auth/caller.js';
import type { CommandIdentity } from './command-identity.js';
import { StreamCommands } from './stream-commands.js';

/** Lifetime of an idempotency key. */
const KEY_LASTS_MS = 24 * 3_600_000;

/**
 * Assigns identities to commands. A key is claimed in a stream of its own before its command runs.
 * The claim determines to the millisecond how long the key lasts. It rejects the key for another
 * body or path of the same route, also when both arrive at once. A command that is rejected leaves
 * the key claimed: it may be repeated as it is.
 */
@Injectable()
export class CommandIdentities {
  constructor(
    private readonly commands: StreamCommands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param body the request's body as it was parsed, or undefined.
   * @throws FootnoteError `idempotency_key_reused` when the caller's key was used for another body
   * or path.
   */
  async of(caller: Caller, body: unknown): Promise<CommandIdentity> {
    const { tenantId, route, idempotencyKey, pathParameters } = caller;
    if (idempotencyKey === undefined) {
      return { commandId: uuidv7(), idempotency: undefined, newId: () => uuidv7() };
    }
    const body_hash = sha256(JSON.stringify(sorted([pathParameters, body ?? null])));
    const commandId = await this.claim(
      caller,
      uuidv5('command', tenantId, route, idempotencyKey),
      body_hash,
    );
    return {
      commandId,
      idempotency: { key_hash: sha256(`${tenantId}\n${idempotencyKey}`), body_hash },
      newId: (kind) => uuidv5(kind, commandId),
    };
  }

  /**
   * @returns the id of the key's command; the key's first use is the id itself, a later one derives
   * from it.
   */
  private async claim(caller: Caller, id: string, body_hash: string): Promise<string> {
    const now = this.clock.now();
    const expires_at = new Date(now.getTime() + KEY_LASTS_MS).toISOString();
    const { state } = await this.commands.run({
      caller,
      identity: { commandId: uuidv7(), idempotency: undefined, newId: () => uuidv7() },
      stream: `idempotency-${id}`,
      decider: idempotencyKeyDecider,
      expected: 'any',
      decide: (current, revision) => {
        const command_id = revision === 'none' ? id : uuidv5('command', id, String(revision + 1n));
        const data = { command_id, body_hash, now: now.toISOString(), expires_at };
        return idempotencyKeyDecider.decide({ type: 'UseIdempotencyKey', data }, current);
      },
    });
    if (state.status === 'unused') throw new Error('An idempotency key was not claimed');
    return state.command_id;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Two bodies that differ in the order of their keys alone are the same. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
