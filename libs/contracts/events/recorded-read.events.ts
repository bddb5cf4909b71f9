import { z } from 'zod';

import { count, digest, id, instant } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/** Start of the hour (UTC) that an event stands for: it is appended once an hour at most. */
const hour = instant;

/**
 * Stream `read-<read_id>`, whose id is derived from tenant, actor, kind, subject and hour. The
 * filter is recorded as a digest, since it may contain ids that the reader typed.
 */
export const auditTrailRead = defineEvent(
  'AuditTrailRead',
  1,
  z.object({ filter_digest: digest, hour }),
);
export const receiptRead = defineEvent('ReceiptRead', 1, z.object({ receipt_id: id, hour }));
export const receiptReplayed = defineEvent(
  'ReceiptReplayed',
  1,
  z.object({ receipt_id: id, hour }),
);
export const keysListed = defineEvent('KeysListed', 1, z.object({ hour }));
export const membersListed = defineEvent('MembersListed', 1, z.object({ hour }));

/** `export`: a file of records. `feed`: a stream of events that stays open. */
export const TRAIL_EXPORT_KINDS = ['export', 'feed'] as const;
export type TrailExportKind = (typeof TRAIL_EXPORT_KINDS)[number];

export const TRAIL_EXPORT_ENDS = ['completed', 'client_aborted', 'failed'] as const;
export type TrailExportEnd = (typeof TRAIL_EXPORT_ENDS)[number];

/** Stream `trailexport-<export_id>`: appended before the first record leaves the service. */
export const auditExportStarted = defineEvent(
  'AuditExportStarted',
  1,
  z.object({ export_id: id, kind: z.enum(TRAIL_EXPORT_KINDS), filter_digest: digest }),
);
export const auditExportEnded = defineEvent(
  'AuditExportEnded',
  1,
  z.object({
    export_id: id,
    /** Records that were sent. */
    records: count,
    end: z.enum(TRAIL_EXPORT_ENDS),
  }),
);

export const recordedReadEvents = [
  auditTrailRead,
  receiptRead,
  receiptReplayed,
  keysListed,
  membersListed,
] as const;
export type RecordedReadEvent = EventOf<(typeof recordedReadEvents)[number]>;

export const trailExportEvents = [auditExportStarted, auditExportEnded] as const;
export type TrailExportEvent = EventOf<(typeof trailExportEvents)[number]>;
