import type { JobCommand } from '#domain';
import { redactUrls, redactUrlsIn } from '#ingest/redact/redact-urls';

/**
 * Returns a command of a worker without the secrets of URLs. Links, redirects and addresses of
 * registries reach messages and counters, and an event stores them for good.
 */
export function withoutUrlSecrets(command: JobCommand): JobCommand {
  switch (command.type) {
    case 'RecordProgress': {
      const progress_message = redactUrls(command.data.progress_message);
      const stage_details = redactUrlsIn(command.data.stage_details);
      return { ...command, data: { ...command.data, progress_message, stage_details } };
    }
    case 'AdvanceStage':
      return {
        ...command,
        data: { ...command.data, stage_details: redactUrlsIn(command.data.stage_details) },
      };
    case 'StageGeneration':
      return {
        ...command,
        data: { ...command.data, stage_details: redactUrlsIn(command.data.stage_details) },
      };
    case 'CompleteUnchanged':
      return {
        ...command,
        data: { ...command.data, stage_details: redactUrlsIn(command.data.stage_details) },
      };
    case 'FailStage': {
      const error_message = redactUrls(command.data.error_message);
      const error_details = redactUrlsIn(command.data.error_details);
      return { ...command, data: { ...command.data, error_message, error_details } };
    }
    default:
      return command;
  }
}
