import type { RoverPlanned, RoverStepKind, RoverStepReason } from '#contracts';

import type { RoverJob, RoverStep } from './rover.state.js';

/** The ordinal of the step that stores the draft of a model; the answer itself has 0. */
export const DRAFT_ORDINAL = 1;

/** Progress at the start of a step, percent. */
const PROGRESS: Readonly<Record<RoverStepKind, number>> = {
  understand: 2,
  choose: 5,
  read: 10,
  search: 50,
  follow: 75,
  check: 85,
  write: 90,
};

const TITLES: Readonly<Record<RoverStepKind, string>> = {
  understand: 'Understand the question',
  choose: 'Choose repositories',
  read: 'Read',
  search: 'Search',
  follow: 'Follow imports between repositories',
  check: 'Check what was found',
  write: 'Write the answer',
};

const REASONS: Readonly<Record<RoverStepReason, string>> = {
  repository_not_found: 'The repository does not exist or is private',
  repository_unavailable: 'The repository is not available',
  repository_empty: 'The repository is empty',
  repository_too_large: 'The repository is too large',
  read_failed: 'The repository could not be read',
  github_unavailable: 'GitHub is unavailable',
  github_rate_limited: 'GitHub allows no more requests at present',
  search_failed: 'The search failed',
  budget_reached: 'The budget of the job is used up',
  internal: 'The step failed by an internal error',
};

const RULES: Readonly<Record<Extract<RoverPlanned, { by: 'rules' }>['why'], string>> = {
  model_unavailable: 'the model is not available',
  model_rejected: 'the model gave no usable answer',
  model_budget: 'the budget of the model is used up',
  model_time: 'the time is used up',
};

/** Returns the progress of a job, from 0 to 100. It never decreases. */
export function roverProgress({ status, steps }: Pick<RoverJob, 'status' | 'steps'>): number {
  if (status === 'completed') return 100;
  const reads = steps.filter(({ kind }) => kind === 'read');
  const done = reads.filter((step) => step.status !== 'running').length;
  const ofReads = reads.length === 0 ? 0 : PROGRESS.read + Math.floor((35 * done) / 10);
  return Math.max(0, ofReads, ...steps.map(({ kind }) => PROGRESS[kind]));
}

/** Returns the title of a step. */
export function roverStepTitle({
  kind,
  repo,
  ordinal,
}: Pick<RoverStep, 'kind' | 'repo' | 'ordinal'>): string {
  if (kind === 'write' && ordinal === DRAFT_ORDINAL) return 'Draft the answer';
  if (repo !== null) return `${TITLES[kind]} ${repo}`;
  return kind === 'search' ? `${TITLES[kind]} all repositories` : TITLES[kind];
}

/** Returns a sentence about the reason of a failed step. */
export function roverReasonText(reason: RoverStepReason): string {
  return REASONS[reason];
}

/** Returns a sentence about the result of a step; null if there is nothing to say. */
export function roverStepDetail({ reason, details, planned }: RoverStep): string | null {
  if (reason !== null) return REASONS[reason];
  const counts = Object.entries(details).map(
    ([name, count]) => `${name.replaceAll('_', ' ')}: ${count}`,
  );
  const facts = planned ? [...counts, plannedText(planned)] : counts;
  return facts.length === 0 ? null : facts.join(', ');
}

function plannedText(planned: RoverPlanned): string {
  if (planned.by === 'model') return `planned by ${planned.model}`;
  return `planned by rules: ${RULES[planned.why]}`;
}
