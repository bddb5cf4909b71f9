import { McpExchange } from '#apps/api/mcp/mcp-exchange';
import { KEY_SCOPES } from '#contracts';
import { uuidv7 } from '#platform';

import type { ApiHarness } from './api-harness.js';

/** The answer to a call, or the error of the protocol. */
export interface CallOutcome {
  readonly status: number;
  readonly text: string;
  readonly isError: boolean;
  /** Data for programs, and links. */
  readonly structured: string;
  /** Code of an error of the protocol. */
  readonly errorCode?: number;
}

/**
 * Calls a tool through the exchange of `/mcp`, without a connection and its rate limits.
 * @param structured true for data instead of text.
 */
export async function callTool(
  api: Pick<ApiHarness, 'app'>,
  tenantId: string,
  name: string,
  input: unknown,
  structured = false,
): Promise<CallOutcome> {
  const requestId = uuidv7();
  const response = await api.app.get(McpExchange).answer(
    {
      tenantId,
      actor: { type: 'api_key', id: tenantId },
      scopes: KEY_SCOPES,
      expiresAt: null,
      requestId,
      http: { request_id: requestId, method: 'POST', path: '/mcp' },
      route: 'POST /mcp',
      pathParameters: {},
      idempotencyKey: undefined,
    },
    {
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
      toolsets: ['default', 'manage', 'audit'],
      structured,
      clientGone: new AbortController().signal,
    },
  );
  const body = await response.text();
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as Message;
  return {
    status: response.status,
    text: (result?.content ?? []).flatMap(({ text }) => text ?? []).join('\n'),
    structured: JSON.stringify([result?.structuredContent, structured && result?.content]),
    isError: result?.isError === true,
    ...(error && { errorCode: error.code }),
  };
}

interface Message {
  readonly result?: {
    readonly content: readonly { readonly text?: string }[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number };
}
