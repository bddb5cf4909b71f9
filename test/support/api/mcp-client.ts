import type { AddressInfo } from 'node:net';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import type { ApiHarness } from './api-harness.js';

export interface McpClientOptions {
  /** Default: the key of tenant A. */
  readonly key?: string;
  /** Query string, such as `?tools=manage`. */
  readonly query?: string;
  /** Revision that the client speaks: that of 2026, or of 2025 with its handshake. */
  readonly era?: 'modern' | 'legacy';
}

/** The result of a call, as one text. */
export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

/** Returns an official client that is connected to the API, which must listen. */
export async function mcpClient(
  api: ApiHarness,
  { key = api.keyA, query = '', era = 'modern' }: McpClientOptions = {},
): Promise<Client> {
  const { port } = api.app.getHttpServer().address() as AddressInfo;
  const transport = new StreamableHTTPClientTransport(
    new URL(`http://127.0.0.1:${port}/mcp${query}`),
    { requestInit: { headers: { authorization: `Bearer ${key}` } } },
  );
  const client = new Client(
    { name: 'spec', version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(transport);
  return client;
}

/** Calls a tool and returns its text. */
export async function toolText(client: Client, name: string, input: object): Promise<ToolText> {
  const result = await client.callTool({ name, arguments: { ...input } });
  const content = result.content as { readonly type: string; readonly text?: string }[];
  return {
    text: content.flatMap(({ text }) => text ?? []).join('\n'),
    isError: result.isError === true,
    structured: result.structuredContent,
  };
}
