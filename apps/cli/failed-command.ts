import { ToolProblem } from '#agent-tools/tool-problem';
import { ConnectionError, isApiError } from '#client';
import { ERROR_CATALOGUE, isFootnoteError } from '#contracts';

import { EXIT } from './exit-code.js';
import { ServerError } from './server/server-error.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

/** Reports the error of a command, and returns its exit code. @throws the error of a defect. */
export function failedCommand(error: unknown, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.note(`footnote: ${error.message}`);
    return EXIT.usage;
  }
  if (error instanceof ToolProblem) {
    terminal.note(`footnote: ${error.message}`);
    return EXIT.notFound;
  }
  const code = exitCodeOf(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  terminal.note(`footnote: ${error.message}`);
  if (isApiError(error)) {
    for (const { field, message } of error.details) {
      if (!error.message.includes(message)) terminal.note(`  ${field} ${message}`);
    }
    if (error.retryAfter !== undefined) terminal.note(`  Retry in ${error.retryAfter} s`);
    terminal.note(`  code ${error.code}, request ${error.requestId}`);
  }
  return code;
}

/** Returns the exit code of an error; undefined for one that is a defect of the command line. */
function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof ConnectionError) return EXIT.unavailable;
  if (error instanceof ServerError) return EXIT[error.exit];
  if (isApiError(error)) return ofStatus(error.status);
  if (isFootnoteError(error)) return ofStatus(ERROR_CATALOGUE[error.code].status);
  return undefined;
}

function ofStatus(status: number): number {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (status === 404) return EXIT.notFound;
  if (status === 409 || status === 412) return EXIT.conflict;
  if (status === 429) return EXIT.quota;
  return status >= 500 ? EXIT.unavailable : EXIT.usage;
}
