import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { type AgentService, createMcpServer, type Toolset, toolsFor } from '#agent-tools';
import { API_VERSION, KEY_SCOPES } from '#contracts';
import { countO200k } from '#ingest/chunk/tokens';

/** The form of the tools over stdio. */
export interface McpOptions {
  /** Sets in addition to the default one. */
  readonly tools: readonly Toolset[];
  readonly output: 'text' | 'structured';
}

/**
 * Serves the tools over stdio until the client leaves or a signal arrives. Only messages of the
 * protocol go to stdout.
 */
export function serveMcp(service: AgentService, { tools, output }: McpOptions): void {
  const server = serveStdio(() =>
    createMcpServer({
      version: API_VERSION,
      tools: toolsFor(['default', ...tools], KEY_SCOPES),
      service,
      countTokens: countO200k,
      structured: output === 'structured',
      mayRead: true,
      onFailure: (error, tool) => process.stderr.write(`mcp: ${tool} failed: ${String(error)}\n`),
    }),
  );
  const stop = (): void => void server.close();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
