import { type Decider, FootnoteError, type IdempotencyKeyEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface UseIdempotencyKey {
  readonly type: 'UseIdempotencyKey';
  readonly data: {
    /** The command that the key identifies if the key is new. */
    readonly command_id: string;
    readonly body_hash: string;
    /**
     * In the same form as `expires_at`: ISO 8601 in UTC with milliseconds, so that texts sort by
     * time. A key expires exactly at that moment.
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
 * Stream `idempotency-<id>`: until it expires, a key identifies one command with one body. After
 * that it counts as new.
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

/**
 * @throws FootnoteError `idempotency_key_reused` while the key identifies a request with another
 * body.
 */
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
      'This Idempotency-Key was used with another body or path; use a new key',
    );
  }
  return [];
}
