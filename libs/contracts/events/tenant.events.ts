import { z } from 'zod';

import { count, id, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/** Stream `tenant-<id>`. */
export const tenantCreated = defineEvent(
  'TenantCreated',
  1,
  z.object({ tenant_id: id, name: z.string() }),
);

/**
 * The reason for a tenant's erasure. It is no free text, which would outlive what it erases. The
 * metadata names the requester.
 */
export const ERASURE_REASONS = ['owner_request', 'operator_request'] as const;
export type ErasureReason = (typeof ERASURE_REASONS)[number];

/**
 * From here on no credential of the tenant is accepted, and everything it has is destroyed. There
 * is no way back.
 */
export const tenantErasureRequested = defineEvent(
  'TenantErasureRequested',
  1,
  z.object({ tenant_id: id, reason: z.enum(ERASURE_REASONS) }),
);

/**
 * Everything of the tenant is destroyed but its events; what they have sealed opens nowhere any
 * more.
 */
export const tenantErased = defineEvent(
  'TenantErased',
  1,
  z.object({
    tenant_id: id,
    /** Sources that the erasure removed. */
    sources: count,
    /** Jobs that were cancelled since it was requested. */
    jobs: count,
    /** Accounts that were closed since then. */
    people: count,
    /** Generations that left the search index since then. */
    generations: count,
    /**
     * Blobs that no other tenant needs; those that an attempt which was cut short removed are not
     * among them.
     */
    blobs: count,
    blob_bytes: count,
  }),
);

/** The operator gave the tenant another plan, by its name in the configuration. */
export const tenantPlanChanged = defineEvent(
  'TenantPlanChanged',
  1,
  z.object({ tenant_id: id, plan: z.string().min(1).max(32) }),
);

/**
 * From here on nothing of the tenant is destroyed: no erasure is accepted, and no generation is
 * dropped. The reason is sealed with the key of the tenant.
 */
export const legalHoldSet = defineEvent(
  'LegalHoldSet',
  1,
  z.object({ tenant_id: id, reason: sealedText }),
);

/** Ends the hold. What became due during it is destroyed afterwards. */
export const legalHoldReleased = defineEvent(
  'LegalHoldReleased',
  1,
  z.object({ tenant_id: id, reason: sealedText }),
);

export const tenantEvents = [
  tenantCreated,
  tenantPlanChanged,
  legalHoldSet,
  legalHoldReleased,
  tenantErasureRequested,
  tenantErased,
] as const;
export type TenantEvent = EventOf<(typeof tenantEvents)[number]>;
