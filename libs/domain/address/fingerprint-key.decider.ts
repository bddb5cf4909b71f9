import type { Decider, FingerprintKeyEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface MakeFingerprintKey {
  readonly type: 'MakeFingerprintKey';
  readonly data: { readonly sealed: string };
}

export type FingerprintKeyState = { readonly sealed: string | null };

/** Stream `fingerprint-key`: the first process that needs the key creates it, once. */
export const fingerprintKeyDecider: Decider<
  MakeFingerprintKey,
  FingerprintKeyState,
  FingerprintKeyEvent
> = {
  initial: { sealed: null },
  decide: ({ data }, { sealed }) => (sealed === null ? [{ type: 'FingerprintKeyMade', data }] : []),
  evolve: (state, { data }) => (state.sealed === null ? { sealed: data.sealed } : state),
};

export const fingerprintKeyStreams = defineStream({
  pattern: 'fingerprint-key',
  decider: fingerprintKeyDecider,
  commands: { MakeFingerprintKey: true },
  events: { FingerprintKeyMade: true },
});
