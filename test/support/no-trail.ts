import type { PipelineDependencies } from '#apps/pipeline/pipeline.types';

/** Read models without audit records, for a pipeline whose history is too short to be signed. */
export const NO_TRAIL: PipelineDependencies['readModel'] = {
  ask: () => Promise.reject(new Error('There are no audit records')),
  asOf: () => Promise.reject(new Error('There are no audit records')),
  waitFor: () => Promise.resolve(false),
};
