import type { RoverStepKind, RoverStepReason } from '#contracts';

import type { RoverJob, RoverStep } from './rover.state.js';

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

/** Returns the progress of a job, from 0 to 100. It never decreases. */
export function roverProgress({ status, steps }: Pick<RoverJob, 'status' | 'steps'>): number {
  if (status === 'completed') return 100;
  const reads = steps.filter(({ kind }) => kind === 'read');
  const done = reads.filter((step) => step.status !== 'running').length;
  const ofReads = reads.length === 0 ? 0 : PROGRESS.read + Math.floor((35 * done) / 10);
  return Math.max(0, ofReads, ...steps.map(({ kind }) => PROGRESS[kind]));
}

/** Returns the title of a step. */
export function roverStepTitle({ kind, repo }: Pick<RoverStep, 'kind' | 'repo'>): string {
  if (repo !== null) return `${TITLES[kind]} ${repo}`;
  return kind === 'search' ? `${TITLES[kind]} all repositories` : TITLES[kind];
}

/** Returns a sentence about the reason of a failed step. */
export function roverReasonText(reason: RoverStepReason): string {
  return REASONS[reason];
}

/** Returns a sentence about the result of a step; null if there is nothing to say. */
export function roverStepDetail({ reason, details }: RoverStep): string | null {
  if (reason !== null) return REASONS[reason];
  const counts = Object.entries(details).map(
    ([name, count]) => `${name.replaceAll('_', ' ')}: ${count}`,
  );
  return counts.length === 0 ? null : counts.join(', ');
}
