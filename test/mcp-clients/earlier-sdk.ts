import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Endpoint, Seen } from './endpoint.types.js';

/** The parts of the SDK's first line that are used: it is installed by the command alone. */
interface EarlierClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<{
    readonly content: readonly { readonly text?: string }[];
  }>;
  close(): Promise<void>;
}
type Constructor<T> = new (...input: readonly unknown[]) => T;

/** Lists the tools and searches with the official client of line 1. */
export async function useEarlierSdk(sdk: string, endpoint: Endpoint, query: string): Promise<Seen> {
  const load = (path: string) =>
    import(pathToFileURL(join(sdk, 'dist', 'esm', 'client', path)).href) as Promise<
      Readonly<Record<string, Constructor<object>>>
    >;
  const { Client } = (await load('index.js')) as { Client: Constructor<EarlierClient> };
  const client = new Client({ name: 'clients', version: '1.0.0' });
  await client.connect(await transport());
  try {
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: 'search', arguments: { query } });
    const text = content.map((part) => part.text ?? '').join('\n');
    return { tools: tools.map(({ name }) => name), text };
  } finally {
    await client.close();
  }

  async function transport(): Promise<object> {
    if (endpoint.kind === 'stdio') {
      const { StdioClientTransport: Stdio } = await load('stdio.js');
      return new (Stdio as Constructor<object>)({ ...endpoint, stderr: 'inherit' });
    }
    const { StreamableHTTPClientTransport: Http } = await load('streamableHttp.js');
    const headers = { authorization: `Bearer ${endpoint.key}` };
    return new (Http as Constructor<object>)(new URL(endpoint.url), { requestInit: { headers } });
  }
}
