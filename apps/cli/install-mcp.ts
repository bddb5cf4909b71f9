import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { MCP_CLIENTS, type McpClientName } from './mcp-clients.js';
import { readJsonObject } from './read-json-object.js';
import { UsageError } from './usage-error.js';

/**
 * Adds the tools to the settings of a client in a folder, and returns the file. Other servers stay.
 * The file has no key: the command reads it from the credentials of the person.
 */
export async function installMcp(client: McpClientName, folder: string): Promise<string> {
  const { file, servers } = MCP_CLIENTS[client];
  const path = join(folder, file);
  const settings = await readJsonObject(
    path,
    'is not a JSON object without comments; add the server by hand',
  );
  const others = settings[servers] ?? {};
  if (typeof others !== 'object') throw new UsageError(`${path}: ${servers} must be an object`);
  const footnote = { command: 'footnote', args: ['mcp'] };
  const merged = { ...settings, [servers]: { ...others, footnote } };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(merged, null, 2)}\n`);
  return path;
}
