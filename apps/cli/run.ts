import { CommanderError } from 'commander';

import { clientVariables } from '#platform/config/client-home';

import { ContextStore } from './context-store.js';
import { EXIT } from './exit-code.js';
import { createProgram } from './program.js';
import { Session } from './session.js';
import { Terminal } from './terminal.js';

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
    // Commander has written its message. It ends --help by an error as well.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    // Loaded late: --help needs neither the catalogue of errors nor its schemas.
    const { failedCommand } = await import('./failed-command.js');
    return failedCommand(error, terminal);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
