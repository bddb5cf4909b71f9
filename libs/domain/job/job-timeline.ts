import type { AttemptOutcome, JobEvent, Stage, StageAttempt } from '#contracts';

/** Maximum number of attempts in a timeline; the oldest are dropped first. */
export const MAX_TIMELINE = 100;

type Timeline = readonly StageAttempt[];

/**
 * Returns the attempts of a job after an event. The last stage has no worker: it begins when the
 * generation is staged and ends with the job. Pure and total.
 */
export function timelineAfter(
  timeline: Timeline,
  event: JobEvent & { readonly occurred_at: string },
): Timeline {
  const at = event.occurred_at;
  switch (event.type) {
    case 'JobStageStarted':
      return begun(ended(timeline, 'lost', at), event.data.stage, event.data.attempt, at);
    case 'JobStageAdvanced':
      return ended(timeline, 'completed', at);
    case 'JobStaged':
      return begun(ended(timeline, 'completed', at), 'finalize', event.data.attempt, at);
    case 'JobStageFailed':
    case 'JobFailed':
      return ended(timeline, 'failed', at);
    case 'JobStageLost':
      return ended(timeline, 'lost', at);
    case 'JobCompleted':
      return ended(timeline, 'completed', at);
    case 'JobCancelled':
      return ended(timeline, 'cancelled', at);
    case 'JobRequested':
    case 'JobProgressed':
      return timeline;
  }
}

function begun(timeline: Timeline, stage: Stage, attempt: number, started_at: string): Timeline {
  return [
    ...timeline,
    { stage, attempt, started_at, ended_at: null, outcome: 'running' as const },
  ].slice(-MAX_TIMELINE);
}

/** Ends the running attempt; does nothing if none is running. */
function ended(timeline: Timeline, outcome: AttemptOutcome, ended_at: string): Timeline {
  const last = timeline.at(-1);
  if (last?.outcome !== 'running') return timeline;
  return [...timeline.slice(0, -1), { ...last, ended_at, outcome }];
}
