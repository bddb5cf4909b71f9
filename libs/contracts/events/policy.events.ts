import { z } from 'zod';

import { count } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

const weight = z.number().min(0).max(5);

/** Every setting of a policy with its range; the ranges are the interface's. */
export const policySettingsSchema = z.object({
  staleness_budget_seconds: z.number().int().min(60).max(31_536_000),
  source_priorities: z.object({ repo: weight, docs_html: weight, docs_openapi: weight }),
  min_evidence_count: z.number().int().min(0).max(100),
  min_evidence_score: z.number().min(0).max(1),
  enforce_staleness: z.boolean(),
  enforce_refusal: z.boolean(),
});
export type PolicySettings = z.output<typeof policySettingsSchema>;

/** A tenant's policy before anybody changes it. */
export const POLICY_DEFAULTS: PolicySettings = Object.freeze({
  staleness_budget_seconds: 2_592_000,
  source_priorities: Object.freeze({ repo: 1.0, docs_html: 0.8, docs_openapi: 1.2 }),
  min_evidence_count: 1,
  min_evidence_score: 0.3,
  enforce_staleness: true,
  enforce_refusal: false,
});

/** Stream `policy-<tenant>`: only the settings that changed. */
export const policyUpdated = defineEvent(
  'PolicyUpdated',
  1,
  z.object({
    changes: policySettingsSchema.partial().extend({
      source_priorities: policySettingsSchema.shape.source_priorities.partial().optional(),
    }),
    /** Revision of the stream whose settings a rollback restored; absent for other changes. */
    restored_revision: count.optional(),
  }),
);

/** Every setting is at its default again. */
export const policyReset = defineEvent('PolicyReset', 1, z.object({}));

export const policyEvents = [policyUpdated, policyReset] as const;
export type PolicyEvent = EventOf<(typeof policyEvents)[number]>;
