import { type Decider, FootnoteError, type IdempotencyKeyEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface UseIdempotencyKey {
  readonly type: 'UseIdempotencyKey';
  readonly data: {
    /** What the key stands for if it is new. */
    readonly command_id: string;
    readonly body_hash: string;
    /**
     * As expires_at: ISO 8601 in UTC with milliseconds, so that texts order as times; a key expires
     * at the very moment named.
     */
    readonly now: string;
    readonly expires_at: string;
  };
}

export type IdempotencyKeyCommand = UseIdempotencyKey;

export type IdempotencyKeyState =
  | { readonly status: 'unused' }
  | {
      readonly status: 'used';
      readonly command_id: string;
      readonly body_hash: string;
      readonly expires_at: string;
    };

/**
 * Stream `idempotency-<id>`: until it expires, a key stands for one command with one body;
 * afterwards it is as if new.
 */
export const idempotencyKeyDecider: Decider<
  IdempotencyKeyCommand,
  IdempotencyKeyState,
  IdempotencyKeyEvent
> = {
  initial: { status: 'unused' },
  decide,
  evolve: (_, event) => ({ status: 'used', ...event.data }),
};

export const idempotencyKeyStreams = defineStream({
  pattern: 'idempotency-<idempotency_id>',
  decider: idempotencyKeyDecider,
  commands: { UseIdempotencyKey: true },
  events: { IdempotencyKeyUsed: true },
});

/** @throws FootnoteError `idempotency_key_reused` while the key stands for another body. */
function decide(
  { data: { now, ...use } }: IdempotencyKeyCommand,
  state: IdempotencyKeyState,
): readonly IdempotencyKeyEvent[] {
  if (state.status === 'unused' || now >= state.expires_at) {
    return [{ type: 'IdempotencyKeyUsed', data: use }];
  }
  if (state.body_hash !== use.body_hash) {
    throw new FootnoteError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body or path',
    );
  }
  return [];
}
