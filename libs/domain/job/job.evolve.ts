import { type JobEvent, STAGE_PROGRESS } from '#contracts';

import type { JobCounterChanges } from './job.commands.js';
import { isOpen } from './job.queries.js';
import type { JobCounters, JobState, OpenJob } from './job.state.js';

/**
 * Returns the job after an event. Total: an event that cannot follow (any after the end, a first
 * event other than JobRequested) changes nothing.
 */
export function evolveJob(state: JobState, event: JobEvent): JobState {
  if (event.type === 'JobRequested') {
    return state.status === 'absent' ? { ...FRESH, ...event.data } : state;
  }
  return isOpen(state) ? evolveOpen(state, event) : state;
}

function evolveOpen(state: OpenJob, event: Exclude<JobEvent, { type: 'JobRequested' }>): JobState {
  switch (event.type) {
    case 'JobStageStarted':
      return {
        ...state,
        status: 'running',
        work: { kind: 'started', worker: event.data.worker, progressed: false },
        reached_percent: Math.max(state.reached_percent, STAGE_PROGRESS[event.data.stage]),
      };
    case 'JobProgressed':
      return progressed(state, event.data);
    case 'JobStageAdvanced': {
      const { next, artifact, version_ref } = event.data;
      return {
        ...state,
        stage: next,
        work: { kind: 'due' },
        artifact,
        version_ref: version_ref ?? state.version_ref,
        counters: counted(state.counters, event.data),
      };
    }
    case 'JobStageFailed': {
      const { retry_at, retry_count, next = state.stage } = event.data;
      if (retry_at === null) return state;
      return {
        ...state,
        stage: next,
        artifact: next === 'fetch' ? null : state.artifact,
        attempt: state.attempt + 1,
        retry_count,
        work: { kind: 'waiting', retry_at },
      };
    }
    case 'JobStageLost':
      return {
        ...state,
        attempt: state.attempt + 1,
        retry_count: event.data.retry_count,
        deaths: event.data.deaths,
        work: { kind: 'due' },
      };
    case 'JobStaged': {
      const { manifest, version_ref, file_count, chunk_count, bytes } = event.data;
      return {
        ...state,
        stage: 'finalize',
        work: { kind: 'due' },
        version_ref,
        counters: counted(state.counters, event.data),
        staged: {
          manifest,
          version_ref,
          file_count,
          chunk_count,
          ...(bytes !== undefined && { bytes }),
        },
      };
    }
    case 'JobCompleted': {
      const { generation, manifest, version_ref } = event.data;
      return {
        ...state,
        status: 'completed',
        version_ref,
        counters: counted(state.counters, event.data),
        published: { generation, manifest, version_ref },
      };
    }
    case 'JobFailed': {
      const { error_message, error_details } = event.data;
      return { ...state, status: 'failed', error_message, error_details };
    }
    case 'JobCancelled':
      return { ...state, status: 'cancelled' };
    default:
      return state;
  }
}

const FRESH = {
  status: 'pending',
  stage: 'fetch',
  attempt: 1,
  retry_count: 0,
  deaths: 0,
  work: { kind: 'due' },
  reached_percent: 0,
  artifact: null,
  version_ref: null,
  counters: { files_processed: 0, chunks_created: 0, chunks_updated: 0, chunks_deleted: 0 },
  staged: null,
} as const;

function progressed(
  state: OpenJob,
  data: JobCounterChanges & { readonly progress_percent: number },
): OpenJob {
  const further = data.progress_percent > state.reached_percent;
  return {
    ...state,
    reached_percent: Math.max(state.reached_percent, data.progress_percent),
    work:
      further && state.work.kind === 'started' ? { ...state.work, progressed: true } : state.work,
    counters: counted(state.counters, data),
  };
}

function counted(counters: JobCounters, changes: JobCounterChanges): JobCounters {
  return {
    files_processed: changes.files_processed ?? counters.files_processed,
    chunks_created: changes.chunks_created ?? counters.chunks_created,
    chunks_updated: changes.chunks_updated ?? counters.chunks_updated,
    chunks_deleted: changes.chunks_deleted ?? counters.chunks_deleted,
  };
}
