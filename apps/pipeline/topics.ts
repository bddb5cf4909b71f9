import type { WorkerStage } from './stages/stage.types.js';

/** One topic a stage; messages are keyed by source id. */
export function topicOf(stage: WorkerStage): string {
  return `footnote.stage.${stage}`;
}
