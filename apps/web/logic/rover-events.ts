import type {
  RoverJobView,
  RoverStatusView,
  RoverStepView,
  RoverTokenView,
} from '#contracts/http/index';

import type { StreamEvent } from './event-stream.js';

/** Returns the job after an event of its stream. An `error` event leaves it to the next request. */
export function applyRoverEvent(job: RoverJobView, { event, data }: StreamEvent): RoverJobView {
  if (event === 'status') return { ...job, ...(JSON.parse(data) as RoverStatusView) };
  if (event === 'token') {
    return { ...job, answer: (job.answer ?? '') + (JSON.parse(data) as RoverTokenView).token };
  }
  if (event === 'done') return JSON.parse(data) as RoverJobView;
  if (event !== 'step') return job;
  const step = JSON.parse(data) as RoverStepView;
  const isKnown = job.steps.some(({ id }) => id === step.id);
  const steps = isKnown
    ? job.steps.map((each) => (each.id === step.id ? step : each))
    : [...job.steps, step];
  return { ...job, steps };
}
