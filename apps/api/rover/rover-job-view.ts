import type { RoverRead, RoverResult } from '#contracts';
import type { RoverJobView, RoverReadView, RoverStepView } from '#contracts/http/index';
import {
  type RoverJob,
  roverProgress,
  type RoverStep,
  roverStepDetail,
  roverStepTitle,
} from '#domain';

/** Returns a job as clients see it. @param result null unless the job is completed. */
export function roverJobView(
  job: RoverJob,
  question: string,
  result: RoverResult | null,
): RoverJobView {
  return {
    id: job.rover_job_id,
    question,
    repos: [...job.repos],
    mode: job.mode,
    status: job.status,
    progress_percent: roverProgress(job),
    steps: job.steps.map(roverStepView),
    answer: result?.answer ?? null,
    citations: [...(result?.citations ?? [])],
    sections: (result?.sections ?? []).map(({ title, claims }) => ({
      title,
      claims: claims.map((claim) => ({ ...claim, citations: [...claim.citations] })),
    })),
    not_found: [...(result?.not_found ?? [])],
    confidence: result?.confidence ?? null,
    read: (result?.read ?? []).map(roverReadView),
    usage: usageOf(job),
    receipt_id: result ? job.rover_job_id : null,
    error_message: job.error_message,
    created_at: job.requested_at,
    started_at: job.started_at,
    completed_at: job.ended_at,
  };
}

/** Returns a step as clients see it. */
export function roverStepView(step: RoverStep): RoverStepView {
  const { step_id: id, kind, status, started_at, completed_at } = step;
  const title = roverStepTitle(step);
  return { id, kind, title, status, started_at, completed_at, detail: roverStepDetail(step) };
}

function roverReadView(read: RoverRead): RoverReadView {
  return { ...read, origin: read.origin ?? (read.complete ? 'temporary' : null) };
}

function usageOf({ usage, budget, steps, attached, started_at, ended_at }: RoverJob) {
  const last = ended_at ?? steps.at(-1)?.completed_at ?? started_at;
  return {
    ...usage,
    seconds:
      started_at === null || last === null
        ? 0
        : Math.max(0, Math.round((Date.parse(last) - Date.parse(started_at)) / 1_000)),
    rounds: Math.max(0, ...steps.map(({ round }) => round)),
    repositories: new Set(attached.map(({ repo }) => repo)).size,
    budget: { ...budget },
  };
}
