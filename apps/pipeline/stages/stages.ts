import { chunkStage } from './chunk.stage.js';
import { embedStage } from './embed.stage.js';
import { fetchStage } from './fetch.stage.js';
import { indexStage } from './index.stage.js';
import { parseStage } from './parse.stage.js';
import type { StageFunction, WorkerStage } from './stage.types.js';

/**
 * Every stage that a worker carries out has its one function; the compiler holds the table
 * complete.
 */
export const STAGE_FUNCTIONS: Readonly<Record<WorkerStage, StageFunction>> = Object.freeze({
  fetch: fetchStage,
  parse: parseStage,
  chunk: chunkStage,
  embed: embedStage,
  index: indexStage,
});
