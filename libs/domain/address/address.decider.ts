import { type AddressEvent, type Decider, FootnoteError } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface ReserveAddress {
  readonly type: 'ReserveAddress';
  readonly data: { readonly user_id: string };
}

/**
 * Releases an address. Only the account or invitation that holds the reservation can release it.
 */
export interface ReleaseAddress {
  readonly type: 'ReleaseAddress';
  readonly data: { readonly user_id: string };
}

export type AddressCommand = ReserveAddress | ReleaseAddress;

export type AddressState =
  { readonly status: 'free' } | { readonly status: 'reserved'; readonly user_id: string };

/** Stream `address-<fingerprint>`: a sign-in name has one owner at a time, across all tenants. */
export const addressDecider: Decider<AddressCommand, AddressState, AddressEvent> = {
  initial: { status: 'free' },
  decide,
  evolve: (_, event) =>
    event.type === 'AddressReserved'
      ? { status: 'reserved', user_id: event.data.user_id }
      : { status: 'free' },
};

export const addressStreams = defineStream({
  pattern: 'address-<fingerprint>',
  decider: addressDecider,
  commands: { ReserveAddress: true, ReleaseAddress: true },
  events: { AddressReserved: true, AddressReleased: true },
});

/** @throws FootnoteError `address_taken` if the address belongs to another owner. */
function decide({ type, data }: AddressCommand, state: AddressState): readonly AddressEvent[] {
  const isOwn = state.status === 'reserved' && state.user_id === data.user_id;
  switch (type) {
    case 'ReserveAddress':
      if (state.status === 'free') return [{ type: 'AddressReserved', data }];
      if (isOwn) return [];
      throw new FootnoteError('address_taken', 'This address already belongs to an account');
    case 'ReleaseAddress':
      return isOwn ? [{ type: 'AddressReleased', data }] : [];
  }
}
