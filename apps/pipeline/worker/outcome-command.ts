import type { JobCommand } from '#domain';

import type { StageOutcome, WorkerStage } from '../stages/stage.types.js';

/** Returns the command that records how a stage succeeded. */
export function commandOf(outcome: StageOutcome, stage: WorkerStage, attempt: number): JobCommand {
  switch (outcome.kind) {
    case 'advanced': {
      const { artifact, version_ref, details, counters } = outcome;
      const version = version_ref === undefined ? {} : { version_ref };
      return {
        type: 'AdvanceStage',
        data: { stage, attempt, artifact, ...version, stage_details: details, ...counters },
      };
    }
    case 'unchanged': {
      const { version_ref, file_count, chunk_count, bytes, details } = outcome;
      const found = { version_ref, file_count, chunk_count, ...(bytes !== undefined && { bytes }) };
      return { type: 'CompleteUnchanged', data: { attempt, ...found, stage_details: details } };
    }
    case 'staged': {
      const { manifest, version_ref, file_count, chunk_count, bytes, details, counters } = outcome;
      const staged = {
        manifest,
        version_ref,
        file_count,
        chunk_count,
        ...(bytes !== undefined && { bytes }),
      };
      return {
        type: 'StageGeneration',
        data: { attempt, ...staged, stage_details: details, ...counters },
      };
    }
  }
}
