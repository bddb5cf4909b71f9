import { type CacheHint, McpServer, type ServerContext } from '@modelcontextprotocol/server';

import type { ServiceFor } from './agent-service.port.js';
import { fitData } from './data/fit-data.js';
import { type FileAddress, fileUri } from './file-uri.js';
import { INSTRUCTIONS } from './instructions.js';
import { addPrompts } from './prompts/add-prompts.js';
import type { OnFailure } from './protocol-errors.js';
import { readArguments } from './read-arguments.js';
import { addResources } from './resources/add-resources.js';
import { oneLine } from './text/one-line.js';
import type { AgentTool, TokenCounter, ToolAnswer } from './tool.types.js';
import { problemText } from './tool-problem.js';
import { DEFAULT_TOKENS } from './tools/inputs.js';
import { outputOf } from './tools/outputs.js';
import { uncheckedSchema } from './unchecked-schema.js';

export interface McpServerParts {
  readonly version: string;
  /** In the order in which clients see them. */
  readonly tools: readonly AgentTool[];
  readonly serviceFor: ServiceFor;
  readonly countTokens: TokenCounter;
  /** True adds the data of results for programs, and leaves their text out. */
  readonly structured: boolean;
  /** True adds resources and prompts. Calls of tools need none, and take longer with them. */
  readonly offersContent: boolean;
  /** Reports whether the service ends the exchange. Default: only clients end calls. */
  readonly isEnding?: () => boolean;
  readonly onFailure: OnFailure;
}

/** Lists change with a release of the service or the scopes of a key. */
const LISTS: CacheHint = { ttlMs: 60_000, cacheScope: 'private' };
/** Text of a version stays as it is; a source can be removed. */
const CONTENT: CacheHint = { ttlMs: 60_000, cacheScope: 'private' };

/**
 * Returns an MCP server for one caller and, over HTTP, one request. Failures of a call are results
 * with `isError` that say what to do next.
 */
export function createMcpServer(parts: McpServerParts): McpServer {
  const server = new McpServer(
    { name: 'footnote', title: 'Footnote', version: parts.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: {} },
      cacheHints: {
        'server/discover': LISTS,
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/list': LISTS,
        'resources/templates/list': LISTS,
        'resources/read': CONTENT,
      },
    },
  );
  for (const tool of parts.tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: uncheckedSchema(tool.input),
        ...(parts.structured && { outputSchema: uncheckedSchema(outputOf(tool.name)) }),
        annotations: {
          readOnlyHint: tool.readOnly,
          destructiveHint: false,
          idempotentHint: tool.idempotent,
          openWorldHint: tool.openWorld,
        },
      },
      (given, context) => call(tool, given, context, parts),
    );
  }
  if (parts.offersContent) {
    addResources(server, parts.serviceFor, parts.onFailure);
    addPrompts(server, parts.serviceFor(), parts.onFailure);
  }
  return server;
}

async function call(
  tool: AgentTool,
  given: unknown,
  request: ServerContext,
  { serviceFor, countTokens, structured, isEnding, onFailure }: McpServerParts,
) {
  const { signal } = request.mcpReq;
  try {
    const input = readArguments(tool, given);
    const service = serviceFor(signal);
    const report = progressReporter(request);
    const isCancelled = () => signal.aborted && !(isEnding?.() ?? false);
    const context = { service, countTokens, signal, isCancelled, report };
    const answer = await tool.run(input, context);
    if (structured) return structuredResult(answer, budgetOf(input), countTokens);
    return { content: [{ type: 'text' as const, text: answer.text }] };
  } catch (error) {
    const text = problemText(error);
    if (text === null && !signal.aborted) onFailure(error, tool.name);
    const shown = text ?? 'The service failed; repeat the call. (code: internal_error)';
    return { content: [{ type: 'text' as const, text: shown }], isError: true };
  }
}

/** Returns the budget of a call; tools that do not take one have the default. */
function budgetOf(input: Readonly<Record<string, unknown>>): number {
  const { max_tokens: given } = input;
  return typeof given === 'number' ? given : DEFAULT_TOKENS;
}

/** Returns the data of an answer within the budget, with a link for each file that it shows. */
function structuredResult(
  { data, cut, files = [] }: ToolAnswer,
  tokens: number,
  countTokens: TokenCounter,
) {
  if (!cut) return { content: [], structuredContent: data };
  const besides = (index: number): number => {
    const file = files[index];
    return file ? countTokens(JSON.stringify(fileLink(fileUri(file), file))) + 1 : 0;
  };
  const fitted = fitData(data, cut, { tokens, countTokens, besides });
  const [list = ''] = cut.lists ?? [];
  const items = fitted[list];
  const shown = Array.isArray(items) ? items.length : 0;
  return { content: fileLinks(files.slice(0, shown)), structuredContent: fitted };
}

/** Returns one link for each file, in their order. */
function fileLinks(files: readonly FileAddress[]) {
  const byUri = new Map(files.map((file) => [fileUri(file), file]));
  return [...byUri].map(([uri, file]) => fileLink(uri, file));
}

function fileLink(uri: string, { source, path }: FileAddress) {
  return { type: 'resource_link' as const, uri, name: oneLine(`${source} ${path}`) };
}

/** Returns a reporter that sends notifications if the request has a progress token. */
function progressReporter({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  return async (progress: number, message: string): Promise<void> => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress, total: 100, message };
    await mcpReq.notify({ method: 'notifications/progress', params });
  };
}
