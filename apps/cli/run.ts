import { CommanderError } from 'commander';

import { ToolProblem } from '#agent-tools/tool-problem';
import { isApiError } from '#client';
import { clientVariables } from '#platform/config/client-home';

import { ContextStore } from './context-store.js';
import { EXIT, exitCodeOf } from './exit-code.js';
import { createProgram } from './program.js';
import { Session } from './session.js';
import { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

/** Runs a command line in this process, and returns its exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const variables = clientVariables();
  const terminal = new Terminal(process, variables.noColor);
  const session = new Session(variables, new ContextStore(variables.folder), terminal);
  const interrupt = (): void => session.interrupted.abort();
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // A reader that has enough, such as `head`, closes the pipe: that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.ok);
  });
  try {
    await createProgram(session).parseAsync(words, { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    terminal.progressEnded();
    if (session.signal.aborted) return EXIT.interrupted;
    return failed(error, terminal);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

function failed(error: unknown, terminal: Terminal): number {
  // Commander has written its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
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
