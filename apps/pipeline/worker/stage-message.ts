import { z } from 'zod';

import { type StageMessage, STAGES } from '#contracts';

import type { WorkerStage } from '../stages/stage.types.js';

/**
 * One topic a stage; messages are keyed by source id. On a broker the prefix of its topics comes
 * before.
 */
export function topicOf(stage: WorkerStage): string {
  return `stage.${stage}`;
}

const stageMessageSchema: z.ZodType<StageMessage> = z.object({
  tenant_id: z.string().min(1).max(64),
  source_id: z.string().min(1).max(64),
  job_id: z.string().min(1).max(64),
  stage: z.enum(STAGES),
  attempt: z.number().int().positive(),
  correlation_id: z.string().min(1).max(256),
  causation_id: z.string().min(1).max(256),
});

/** @throws Error for a message that is not one of ours; it ends in the dead letters. */
export function readStageMessage(body: unknown): StageMessage {
  const parsed = stageMessageSchema.safeParse(body);
  if (!parsed.success) throw new Error('The message does not describe an attempt of a stage');
  return parsed.data;
}
