import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { MCP_CLIENTS, type McpClientName } from './mcp-clients.js';
import { UsageError } from './usage-error.js';

/**
 * Adds the tools to the settings of a client in a folder, and returns the file. Other servers stay.
 * The file has no key: the command reads it from the credentials of the person.
 */
export async function installMcp(client: McpClientName, folder: string): Promise<string> {
  const { file, servers } = MCP_CLIENTS[client];
  const path = join(folder, file);
  const settings = await settingsOf(path);
  const others = settings[servers] ?? {};
  if (typeof others !== 'object') throw new UsageError(`${path}: ${servers} must be an object`);
  const footnote = { command: 'footnote', args: ['mcp'] };
  const merged = { ...settings, [servers]: { ...others, footnote } };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(merged, null, 2)}\n`);
  return path;
}

/** @throws UsageError for a file that is not a JSON object: nothing of it may be lost. */
async function settingsOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) {
      return settings as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Comments are the usual cause: the error below says what to do.
  }
  throw new UsageError(`${path} is not a JSON object without comments; add the server by hand`);
}
