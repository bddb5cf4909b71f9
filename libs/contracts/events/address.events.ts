import { z } from 'zod';

import { id, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * Stream `address-<fingerprint>`. Its id is a keyed hash of a sign-in name: an address, or a person
 * at a provider. The name is reserved for one person of one tenant at a time, over all tenants.
 */
export const addressReserved = defineEvent('AddressReserved', 1, z.object({ user_id: id }));
export const addressReleased = defineEvent('AddressReleased', 1, z.object({ user_id: id }));

export const addressEvents = [addressReserved, addressReleased] as const;
export type AddressEvent = EventOf<(typeof addressEvents)[number]>;

/**
 * Stream `fingerprint-key`: the key that hashes sign-in names, for the life of the log. It is
 * sealed with the service's own key in the key ring.
 */
export const fingerprintKeyMade = defineEvent(
  'FingerprintKeyMade',
  1,
  z.object({ sealed: sealedText }),
);

export const fingerprintKeyEvents = [fingerprintKeyMade] as const;
export type FingerprintKeyEvent = EventOf<(typeof fingerprintKeyEvents)[number]>;
