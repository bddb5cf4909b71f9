import { sourcesNamed } from '#agent-tools/source-names';

import type { Session } from './session.js';

/** Returns the id of a source by name, `owner/repo` or id. @throws ToolProblem with candidates. */
export async function sourceId(session: Session, name: string): Promise<string> {
  const [source] = await sourcesNamed(await session.agentService(), [name]);
  return source?.id ?? name;
}

/** Returns the ids of sources; undefined for an empty list, which stands for all. */
export async function sourceIds(
  session: Session,
  names: readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (!names?.length) return undefined;
  return (await sourcesNamed(await session.agentService(), names)).map(({ id }) => id);
}
