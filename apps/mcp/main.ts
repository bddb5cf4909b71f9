import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command, Option } from 'commander';

import { createMcpServer, type Toolset, TOOLSETS, toolsFor } from '#agent-tools';
import { API_VERSION, KEY_SCOPES } from '#contracts';
import { countO200k } from '#ingest/chunk/tokens';
import { clientEnvironment } from '#platform/config/client-environment';
import { ConfigError } from '#platform/config/config-error';

import { httpAgentService } from './http-agent-service.js';

interface Options {
  readonly tools: readonly Toolset[];
  readonly output: 'text' | 'structured';
}

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
  .action(run);

function run({ tools, output }: Options): void {
  const service = httpAgentService(clientEnvironment());
  const server = serveStdio(() =>
    createMcpServer({
      version: API_VERSION,
      tools: toolsFor(['default', ...tools], KEY_SCOPES),
      service,
      countTokens: countO200k,
      structured: output === 'structured',
      onFailure: (error, tool) => process.stderr.write(`mcp: ${tool} failed: ${String(error)}\n`),
    }),
  );
  const stop = (): void => void server.close();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`mcp: ${error.message}\n`);
  process.exitCode = 2;
}
