/**
 * Stored fields that never leave the service. Digests would allow guesses at weak keys, or at short
 * bodies, to be checked. A password's hash does not leave even sealed. Fingerprints would connect
 * one person's accounts of one log with another's. The entry of a released type never changes: the
 * audit trail hashes by it.
 */
export const WITHHELD_FIELDS: Readonly<Record<string, readonly string[]>> = {
  ApiKeyIssued: ['digest'],
  IdempotencyKeyUsed: ['body_hash'],
  AuditKeyCreated: ['seed'],
  AuditKeyRotated: ['seed'],
  WebhookCreated: ['url', 'secret'],
  WebhookUpdated: ['url'],
  WebhookSecretRotated: ['secret'],
  InvitationIssued: ['digest', 'fingerprint'],
  UserRegistered: ['password', 'fingerprints'],
  UserPasswordChanged: ['password'],
};
