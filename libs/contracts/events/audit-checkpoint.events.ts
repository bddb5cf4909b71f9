import { z } from 'zod';

import { count, digest, id, instant, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

const keyId = z.string().regex(/^[0-9a-f]{8}$/);

const signingKey = z.object({
  tenant_id: id,
  /** Name of log and tenant in every checkpoint, and of the key. */
  origin: z.string().min(1).max(255),
  key_id: keyId,
  /** Public key as `<origin>+<key id>+<base64>`. */
  key: z.string().max(512),
  /** Private key, base64, sealed with the tenant's keys of the key ring. */
  seed: sealedText,
});

/** Stream `checkpoint-<tenant_id>`: the tenant has a key that signs its checkpoints. */
export const auditKeyCreated = defineEvent('AuditKeyCreated', 1, signingKey);

/** Another key signs from here on; checkpoints of earlier keys stay valid. */
export const auditKeyRotated = defineEvent('AuditKeyRotated', 1, signingKey);

/** The head of the tenant's Merkle tree was signed. */
export const checkpointSigned = defineEvent(
  'CheckpointSigned',
  1,
  z.object({
    tenant_id: id,
    /** Number of leaves. */
    size: count,
    root: digest,
    key_id: keyId,
    /** Signed note (C2SP `tlog-checkpoint`). */
    checkpoint: z.string().max(4_096),
  }),
);

/** Name of a witness, as in its key. */
const witness = z.string().min(1).max(255);

/** A witness elsewhere cosigned the checkpoint: it extends what the witness saw before. */
export const checkpointCosigned = defineEvent(
  'CheckpointCosigned',
  1,
  z.object({
    tenant_id: id,
    size: count,
    witness,
    /** Signature line of the note (C2SP `tlog-cosignature`). */
    cosignature: z.string().max(512),
  }),
);

/** A witness saw another history than the checkpoint has; nothing more is signed. */
export const checkpointRefused = defineEvent(
  'CheckpointRefused',
  1,
  z.object({
    tenant_id: id,
    size: count,
    witness,
    reason: z.enum(['other_history', 'larger_tree']),
  }),
);

/** The checkpoint was copied to a place where nobody can delete it before a date. */
export const checkpointCopied = defineEvent(
  'CheckpointCopied',
  1,
  z.object({
    tenant_id: id,
    size: count,
    /** Bucket and key. */
    place: z.string().min(1).max(1_024),
    retained_until: instant,
  }),
);

export const auditCheckpointEvents = [
  auditKeyCreated,
  auditKeyRotated,
  checkpointSigned,
  checkpointCosigned,
  checkpointRefused,
  checkpointCopied,
] as const;
export type AuditCheckpointEvent = EventOf<(typeof auditCheckpointEvents)[number]>;
