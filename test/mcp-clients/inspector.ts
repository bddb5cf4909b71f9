import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Endpoint, Seen } from './endpoint.types.js';

const CALL_LIMIT_MS = 60_000;

/** Lists the tools and searches with the command line of the Inspector, in a process each. */
export async function useInspector(
  inspector: string,
  endpoint: Endpoint,
  query: string,
): Promise<Seen> {
  const program = join(inspector, 'clients', 'launcher', 'build', 'index.js');
  const run = async (words: readonly string[]): Promise<unknown> => {
    const command = [program, '--cli', ...target(endpoint), ...words];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      timeout: CALL_LIMIT_MS,
    });
    return JSON.parse(stdout);
  };
  const { tools } = (await run(['--method', 'tools/list'])) as {
    readonly tools: readonly { readonly name: string }[];
  };
  const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', `query=${query}`];
  const { content } = (await run(call)) as {
    readonly content: readonly { readonly text?: string }[];
  };
  const text = content.map((part) => part.text ?? '').join('\n');
  return { tools: tools.map(({ name }) => name), text };
}

function target(endpoint: Endpoint): readonly string[] {
  if (endpoint.kind === 'http') {
    const { url, key } = endpoint;
    return [url, '--transport', 'http', '--header', `Authorization: Bearer ${key}`];
  }
  const { command, args, env } = endpoint;
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return [command, ...args, ...variables];
}
