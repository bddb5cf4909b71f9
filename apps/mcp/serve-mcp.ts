import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { createMcpServer, type ServiceFor, type Toolset, toolsFor } from '#agent-tools';
import { API_VERSION, KEY_SCOPES } from '#contracts';
import { countO200k } from '#ingest/chunk/tokens';

import { reserveOutput } from './reserve-output.js';

/** The form of the tools over stdio. */
export interface McpOptions {
  /** Sets in addition to the default one. */
  readonly tools: readonly Toolset[];
  readonly output: 'text' | 'structured';
}

/**
 * Serves the tools over stdio until the client leaves or a signal arrives. Only messages of the
 * protocol go to standard output. A line that is no message is reported and skipped.
 */
export function serveMcp(serviceFor: ServiceFor, { tools, output }: McpOptions): void {
  const transport = new StdioServerTransport(process.stdin, reserveOutput());
  const server = serveStdio(
    () =>
      createMcpServer({
        version: API_VERSION,
        tools: toolsFor(['default', ...tools], KEY_SCOPES),
        serviceFor,
        countTokens: countO200k,
        structured: output === 'structured',
        offersContent: true,
        onFailure: (error, tool) => report(`${tool} failed: ${String(error)}`),
      }),
    { transport, onerror: (error) => report(problemOf(error)) },
  );
  const stop = (): void => void server.close();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function report(problem: string): void {
  process.stderr.write(`mcp: ${problem}\n`);
}

/** Returns a problem of the connection without content of the client. */
function problemOf({ name, message }: Error): string {
  return name === 'ZodError' ? 'a line was skipped; it is not a JSON-RPC 2.0 message' : message;
}
