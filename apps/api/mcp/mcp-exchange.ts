import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';

import type { Toolset } from '#agent-tools';
import { API_VERSION } from '#contracts';
import { LOGGER, type Logger } from '#platform';

import type { Caller } from '../auth/caller.js';
import { LiveCredentials } from '../auth/live-credentials.js';
import { MCP_SERVERS } from '../engines/engines.js';
import type { McpServers } from '../engines/mcp-servers.port.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { StreamConcurrency } from '../streams/stream-concurrency.js';
import { busAgentService } from './bus-agent-service.js';

/** Longest exchange: longer than any tool waits. */
const DEADLINE_MS = 60_000;

export interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: object;
  readonly toolsets: readonly Toolset[];
  readonly structured: boolean;
  readonly clientGone: AbortSignal;
}

/** Loads the protocol, the tools and the tokenizer: most starts of a service answer no client. */
async function loadProtocol() {
  const [{ createMcpHandler }, { createMcpServer, toolsFor }, { countO200k }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('#agent-tools'),
    import('#ingest/chunk/tokens'),
  ]);
  return { createMcpHandler, createMcpServer, toolsFor, countO200k };
}
type Protocol = Awaited<ReturnType<typeof loadProtocol>>;

/** Answers one message of a client: a body of JSON, or a stream of progress and the result. */
@Injectable()
export class McpExchange {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly slots: StreamConcurrency,
    private readonly credentials: LiveCredentials,
    private readonly lifecycle: Lifecycle,
    @Inject(MCP_SERVERS) private readonly servers: McpServers | null,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns the answer. Its body ends with the client, the credentials, the process, and 60 s after
   * the request.
   * @throws FootnoteError `rate_limited` while the tenant has too many open exchanges.
   */
  async answer(caller: Caller, request: McpRequest): Promise<Response> {
    const protocol = await loadProtocol();
    const release = this.slots.take(caller.tenantId);
    const ended = new AbortController();
    const unwatch = this.credentials.watch(caller.principal, () => ended.abort());
    // A restart or a revoked key ends the exchange, but not the jobs that the caller started.
    const ending = AbortSignal.any([
      this.lifecycle.draining,
      ended.signal,
      AbortSignal.timeout(DEADLINE_MS),
    ]);
    const isEnding = () => ending.aborted;
    const create = () => this.serverFor(caller, { ...request, isEnding }, protocol);
    const handler = protocol.createMcpHandler(create, {
      maxSubscriptions: 1,
      ...(this.servers && { bus: this.servers.changes }),
      onerror: (error) => this.logger.debug({ err: error }, 'mcp: exchange failed'),
    });
    const end = () => {
      unwatch();
      release();
      void handler.close();
    };
    const signal = AbortSignal.any([request.clientGone, ending]);
    signal.addEventListener('abort', end, { once: true });
    try {
      const asked = new Request('http://footnote/mcp', {
        method: 'POST',
        headers: request.headers,
        body: JSON.stringify(request.message),
        signal,
      });
      const response = await handler.fetch(asked, { parsedBody: request.message });
      return withEnd(response, signal, end);
    } catch (error) {
      end();
      throw error;
    }
  }

  private serverFor(
    caller: Caller,
    {
      toolsets,
      structured,
      clientGone,
      message,
      isEnding,
    }: McpRequest & { readonly isEnding: () => boolean },
    { createMcpServer, toolsFor, countO200k }: Protocol,
  ) {
    if (this.servers) return this.servers.create();
    return createMcpServer({
      version: API_VERSION,
      tools: toolsFor(toolsets, caller.scopes),
      serviceFor: (ended) => {
        const gone = ended ? AbortSignal.any([clientGone, ended]) : clientGone;
        return busAgentService(caller, this.commands, this.queries, gone);
      },
      countTokens: countO200k,
      structured,
      isEnding,
      offersContent: caller.scopes.includes('read') && !isToolCall(message),
      onFailure: (error, tool) =>
        this.logger.error({ err: error, request_id: caller.requestId, tool }, 'mcp: tool failed'),
    });
  }
}

function isToolCall(message: object): boolean {
  return 'method' in message && message.method === 'tools/call';
}

/** Returns the response with a body that ends at the signal and calls `end` once it is over. */
function withEnd(
  { status, headers, body }: Response,
  signal: AbortSignal,
  end: () => void,
): Response {
  if (body === null) {
    end();
    return new Response(null, { status, headers });
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const ending = new ReadableStream<Uint8Array>({
    start(controller) {
      const stop = () => {
        controller.error(signal.reason);
        void cancel(signal.reason);
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel,
  });
  return new Response(ending, { status, headers });

  function cancel(reason: unknown): Promise<void> {
    end();
    return reader.cancel(reason).catch(() => undefined);
  }
}
