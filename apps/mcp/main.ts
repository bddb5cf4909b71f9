import { Command, Option } from 'commander';

import { TOOLSETS } from '#agent-tools';
import { clientEnvironment } from '#platform/config/client-environment';
import { ConfigError } from '#platform/config/config-error';

import { httpAgentService } from './http-agent-service.js';
import { type McpOptions, serveMcp } from './serve-mcp.js';

/**
 * The tools over stdio, for clients that start a process. The service is at `FOOTNOTE_URL`; the key
 * is in `FOOTNOTE_API_KEY`. Only messages of the protocol go to stdout.
 */
const program = new Command('mcp')
  .description('Serves the tools of Footnote by the Model Context Protocol over stdio.')
  .addOption(new Option('--tools <sets...>', 'further sets of tools').choices(TOOLSETS).default([]))
  .addOption(
    new Option('--output <form>', 'form of results')
      .choices(['text', 'structured'])
      .default('text'),
  )
  .configureOutput({ writeOut: (text) => process.stderr.write(text) })
  .action((options: McpOptions) => serveMcp(httpAgentService(clientEnvironment()), options));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`mcp: ${error.message}\n`);
  process.exitCode = 2;
}
