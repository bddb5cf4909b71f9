import { toolsFor } from '#agent-tools';
import { readArguments } from '#agent-tools/read-arguments';
import { KEY_SCOPES } from '#contracts';
import { countO200k } from '#ingest/chunk/tokens';

import type { Session } from './session.js';

/** Writes the text that an agent gets from a tool. */
export async function runTool(session: Session, name: string, given: object): Promise<void> {
  const tool = toolsFor(['default', 'manage', 'audit'], KEY_SCOPES).find(
    (each) => each.name === name,
  );
  if (!tool) throw new Error(`There is no tool ${name}`);
  const { text, data } = await tool.run(readArguments(tool, given), {
    service: await session.agentService(),
    countTokens: countO200k,
    signal: session.signal,
    isCancelled: () => session.signal.aborted,
    report: async (_percent, message) => session.terminal.progress(message),
  });
  session.terminal.line(text);
  if (isNegative(data)) session.negative();
}

/** Returns true for a search without a match, and for research that failed. */
function isNegative(data: Readonly<Record<string, unknown>>): boolean {
  if ('suggestions' in data) return true;
  if (Array.isArray(data['files'])) return data['files'].length === 0;
  if (Array.isArray(data['definitions'])) return data['definitions'].length === 0;
  if (Array.isArray(data['references'])) return data['references'].length === 0;
  if (Array.isArray(data['results'])) return data['results'].length === 0;
  return data['status'] === 'failed' || data['matches'] === false;
}
