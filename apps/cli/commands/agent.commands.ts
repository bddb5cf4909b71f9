import { type Command, Option } from 'commander';

import { clientAgentService } from '#apps/mcp/http-agent-service';

import { MCP_CLIENTS, type McpClientName } from '../mcp-clients.js';
import type { Session } from '../session.js';

const TOOLSETS = ['manage', 'audit'] as const;

interface ServeOptions {
  readonly tools: (typeof TOOLSETS)[number][];
  readonly output: 'text' | 'structured';
}

/** Adds `mcp` and `mcp install`. */
export function addAgentCommands(program: Command, session: Session): void {
  const mcp = program
    .command('mcp')
    .description('Serves the tools of agents over stdio.')
    .addOption(new Option('--tools <sets...>', 'further sets').choices(TOOLSETS).default([]))
    .addOption(new Option('--output <form>').choices(['text', 'structured']).default('text'))
    .action(async (options: ServeOptions) => {
      const { serveMcp } = await import('#apps/mcp/serve-mcp');
      const client = await session.client();
      serveMcp((ended) => clientAgentService(client, ended), options);
    });
  mcp
    .command('install')
    .description('Adds the tools to the settings of a client; the key stays out of them.')
    .addArgument(mcp.createArgument('<client>').choices(Object.keys(MCP_CLIENTS)))
    .option('--folder <folder>', 'the project', '.')
    .action(async (client: McpClientName, { folder }: { readonly folder: string }) => {
      const { installMcp } = await import('../install-mcp.js');
      session.terminal.note(`Wrote ${await installMcp(client, folder)}`);
    });
}
