import { Command } from 'commander';

import { API_VERSION } from '#contracts/api-version';

import { addAgentCommands } from './commands/agent.commands.js';
import { addAnswerCommands } from './commands/answer.commands.js';
import { addContextCommands } from './commands/context.commands.js';
import { addEvidenceCommands } from './commands/evidence.commands.js';
import { addFileCommands } from './commands/file.commands.js';
import { addGovernanceCommands } from './commands/governance.commands.js';
import { addJobCommands } from './commands/job.commands.js';
import { addNavigationCommands } from './commands/navigation.commands.js';
import { addPackageCommands } from './commands/package.commands.js';
import { addSearchCommands } from './commands/search.commands.js';
import { addSourceCommands } from './commands/source.commands.js';
import { addUpCommand } from './commands/up.command.js';
import { candidates, completionScript, type Shell, SHELLS } from './completion.js';
import type { Session } from './session.js';
import { UsageError } from './usage-error.js';

interface GlobalOptions {
  readonly json?: true;
  readonly agent?: true;
  readonly context?: string;
}

/** Returns the command line of a session. */
export function createProgram(session: Session): Command {
  const program = new Command('footnote')
    .description('Cited search over repositories, docs and packages.')
    .version(API_VERSION)
    .option('--json', 'bodies of the API; lists as one JSON object per line')
    .option('--agent', 'the text that an agent gets from a tool')
    .option('--context <name>', 'a context in place of the current one')
    .exitOverride()
    .hook('preAction', () => {
      const { json, agent, context } = program.opts<GlobalOptions>();
      if (json && agent) throw new UsageError('--json and --agent exclude each other');
      session.terminal.mode = json ? 'json' : agent ? 'agent' : 'text';
      session.contextName = context;
    });
  addUpCommand(program, session);
  addContextCommands(program, session);
  addSourceCommands(program, session);
  addJobCommands(program, session);
  addSearchCommands(program, session);
  addNavigationCommands(program, session);
  addFileCommands(program, session);
  addAnswerCommands(program, session);
  addPackageCommands(program, session);
  addGovernanceCommands(program, session);
  addEvidenceCommands(program, session);
  addAgentCommands(program, session);
  addCompletion(program, session);
  return program;
}

function addCompletion(program: Command, session: Session): void {
  program
    .command('completion')
    .description('Writes the script that completes commands in a shell.')
    .addArgument(program.createArgument('<shell>').choices(SHELLS))
    .action((shell: Shell) => session.terminal.raw(completionScript(shell)));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: readonly string[]) => {
      const names = async () => {
        const client = await session.client();
        const { sources } = await client.sources.list({ query: { limit: 100 } });
        return sources.map(({ name }) => name);
      };
      // A shell shows no errors while it completes.
      const found = await candidates(program, words, () => names().catch(() => []));
      for (const each of found) session.terminal.line(each);
    });
}
