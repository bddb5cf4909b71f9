import { z } from 'zod';

import { audienceSchema } from '../content/audience.js';
import { MOST_SCIP_NAMES, scipUploadSchema } from '../content/scip-upload.js';
import { sourceDefinitionSchema } from '../content/source-definition.js';
import { count, id } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';
import { sealedText } from './receipt.js';

/**
 * Credentials of a private source, sealed with the tenant's data key for this source and the origin
 * of its URL. They open for no other source or origin, and never once the key is destroyed.
 */
const sealedCredentials = z.string().min(1);

/** Stream `source-<id>`. Without `audience` its whole tenant may find it; that never changes. */
export const sourceRegistered = defineEvent(
  'SourceRegistered',
  1,
  z.object({
    source_id: id,
    name: z.string(),
    definition: sourceDefinitionSchema,
    audience: audienceSchema.optional(),
    credentials: sealedCredentials.optional(),
    /** Seconds between syncs that start by themselves; absent: none do. */
    sync_interval_seconds: count.optional(),
  }),
);

/**
 * Only what changed is present; `definition` is the whole definition after the change, null the end
 * of the credentials.
 */
export const sourceUpdated = defineEvent(
  'SourceUpdated',
  1,
  z.object({
    source_id: id,
    name: z.string().optional(),
    definition: sourceDefinitionSchema.optional(),
    credentials: sealedCredentials.nullable().optional(),
    /** 0: no syncs start by themselves any more. */
    sync_interval_seconds: count.optional(),
  }),
);

/**
 * Accepts a sync: from here on the source counts as syncing. The job's own stream is opened by the
 * append that follows.
 */
export const sourceSyncRequested = defineEvent(
  'SourceSyncRequested',
  1,
  z.object({ source_id: id, job_id: id }),
);

/**
 * A push came while a sync was pending or running, which may have read what was there before it:
 * one more follows its end.
 */
export const sourceSyncQueued = defineEvent(
  'SourceSyncQueued',
  1,
  z.object({ source_id: id, after_job_id: id }),
);

/**
 * Pushes to the source are taken that are signed with this secret, which is sealed with the
 * tenant's data key; with no other any more.
 */
export const sourceHookSet = defineEvent(
  'SourceHookSet',
  1,
  z.object({ source_id: id, hook_id: id, secret: sealedText }),
);

/** No pushes to the source are taken any more. */
export const sourceHookRemoved = defineEvent('SourceHookRemoved', 1, z.object({ source_id: id }));

/**
 * Occurrences that an indexer found are known for the files of a version. They replace earlier ones
 * of the same name.
 */
export const sourceScipUploaded = defineEvent(
  'SourceScipUploaded',
  1,
  z.object({ source_id: id, scip: scipUploadSchema }),
);

/**
 * All uploads of these names are removed: no request uses their tables any more, replays neither.
 */
export const sourceScipRemoved = defineEvent(
  'SourceScipRemoved',
  1,
  z.object({ source_id: id, names: z.array(z.string().min(1)).min(1).max(MOST_SCIP_NAMES) }),
);

/** The source is gone for every reader but auditors; it overrides any publication. */
export const sourceRemoved = defineEvent('SourceRemoved', 1, z.object({ source_id: id }));

export const sourceEvents = [
  sourceRegistered,
  sourceUpdated,
  sourceSyncRequested,
  sourceSyncQueued,
  sourceHookSet,
  sourceHookRemoved,
  sourceScipUploaded,
  sourceScipRemoved,
  sourceRemoved,
] as const;
export type SourceEvent = EventOf<(typeof sourceEvents)[number]>;
