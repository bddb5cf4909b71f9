import { z } from 'zod';

import { digest, id, instant, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';
import { role } from './members.events.js';

/** Methods by which a person proved their identity. */
export const SIGN_IN_METHODS = ['registration', 'invitation', 'password', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/**
 * Stream `user-<id>`: a person in one tenant. Address, name and hash of the password are sealed
 * with the person's key and the tenant's: who destroys either erases them.
 */
export const userRegistered = defineEvent(
  'UserRegistered',
  1,
  z.object({
    user_id: id,
    tenant_id: id,
    /** Fingerprints of the sign-in names that are reserved for the person, the address's first. */
    fingerprints: z.array(digest).min(1).max(8),
    address: sealedText,
    display_name: sealedText.nullable(),
    /** The argon2id hash; null for a person who signs in elsewhere. */
    password: sealedText.nullable(),
    /** The person's role in the tenant when they join. */
    role,
  }),
);

/**
 * Nothing will be registered in this stream any more: the reservation it was made for was taken
 * over.
 */
export const userRegistrationVoided = defineEvent(
  'UserRegistrationVoided',
  1,
  z.object({ user_id: id }),
);

export const userRenamed = defineEvent(
  'UserRenamed',
  1,
  z.object({ user_id: id, display_name: sealedText.nullable() }),
);

/** Ends every session of an earlier epoch. */
export const userPasswordChanged = defineEvent(
  'UserPasswordChanged',
  1,
  z.object({ user_id: id, password: sealedText, session_epoch: z.number().int().positive() }),
);

/** Ends every session of an earlier epoch. */
export const userSessionsRevoked = defineEvent(
  'UserSessionsRevoked',
  1,
  z.object({ user_id: id, session_epoch: z.number().int().positive() }),
);

/** The account is closed for good; its sign-in names are free. */
export const userClosed = defineEvent('UserClosed', 1, z.object({ user_id: id }));

export const userEvents = [
  userRegistered,
  userRegistrationVoided,
  userRenamed,
  userPasswordChanged,
  userSessionsRevoked,
  userClosed,
] as const;
export type UserEvent = EventOf<(typeof userEvents)[number]>;

/**
 * Stream `session-<id>`: from a sign-in to its sign-out. One that ends by time has no second event.
 */
export const sessionStarted = defineEvent(
  'SessionStarted',
  1,
  z.object({ session_id: id, user_id: id, method: z.enum(SIGN_IN_METHODS), ends_at: instant }),
);

export const sessionEnded = defineEvent(
  'SessionEnded',
  1,
  z.object({ session_id: id, user_id: id, ends_at: instant }),
);

export const sessionEvents = [sessionStarted, sessionEnded] as const;
export type SessionEvent = EventOf<(typeof sessionEvents)[number]>;
