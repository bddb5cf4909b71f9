import { z } from 'zod';

import { count } from '../fields.js';

/** `fast`: one round within a minute. `deep`: several rounds over more repositories. */
export const ROVER_MODES = ['fast', 'deep'] as const;
export type RoverMode = (typeof ROVER_MODES)[number];

/** Kinds of steps, in the order of a round. */
export const ROVER_STEP_KINDS = [
  'understand',
  'choose',
  'read',
  'search',
  'follow',
  'check',
  'write',
] as const;
export type RoverStepKind = (typeof ROVER_STEP_KINDS)[number];

/** `failed`: the step says why, and the job goes on without its output. */
export const ROVER_STEP_STATUSES = ['running', 'completed', 'failed'] as const;
export type RoverStepStatus = (typeof ROVER_STEP_STATUSES)[number];

/** Reasons of a failed step. */
export const ROVER_STEP_REASONS = [
  'repository_not_found',
  'repository_unavailable',
  'repository_empty',
  'repository_too_large',
  'read_failed',
  'github_unavailable',
  'github_rate_limited',
  'search_failed',
  'budget_reached',
  'internal',
] as const;
export type RoverStepReason = (typeof ROVER_STEP_REASONS)[number];

/** Reasons why the rules planned a step although a model is configured. */
const ROVER_RULES_REASONS = [
  'model_unavailable',
  'model_rejected',
  'model_budget',
  'model_time',
] as const;

/** The planner of a step, in jobs with a model. */
export const roverPlannedSchema = z.union([
  z.object({ by: z.literal('model'), model: z.string().max(200) }),
  z.object({ by: z.literal('rules'), why: z.enum(ROVER_RULES_REASONS) }),
]);
export type RoverPlanned = Readonly<z.output<typeof roverPlannedSchema>>;

/** Characters of a question. */
export const MOST_ROVER_QUESTION = 2_000;
/** Jobs of a tenant that have not ended. */
export const MOST_OPEN_ROVER_JOBS = 100;

/** Limits of one job. At a limit, the job writes from what it has. */
export const roverBudgetSchema = z.object({
  /** From the start of the first step. */
  seconds: count,
  rounds: count,
  repositories: count,
  searches: count,
  model_calls: count,
  prompt_tokens: count,
});
export type RoverBudget = Readonly<z.output<typeof roverBudgetSchema>>;

/** The part of its budget that a step or a job used. */
export const roverUsageSchema = z.object({
  searches: count,
  model_calls: count,
  prompt_tokens: count,
  completion_tokens: count,
});
export type RoverUsage = Readonly<z.output<typeof roverUsageSchema>>;

/** The usage of a job that has done nothing. */
export const NO_ROVER_USAGE: RoverUsage = Object.freeze({
  searches: 0,
  model_calls: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
});
