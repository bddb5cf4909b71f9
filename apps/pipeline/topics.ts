import type { WorkerStage } from './stages/stage.types.js';

/** One topic a stage; messages are keyed by source id. On a broker the prefix of its topics comes before. */
export function topicOf(stage: WorkerStage): string {
  return `stage.${stage}`;
}
