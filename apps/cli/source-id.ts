import type { Session } from './session.js';

/** Returns the id of a source by name, `owner/repo` or id. @throws ToolProblem with candidates. */
export async function sourceId(session: Session, name: string): Promise<string> {
  const [id = name] = (await sourceIds(session, [name])) ?? [];
  return id;
}

/** Returns the ids of sources; undefined for an empty list, which stands for all. */
export async function sourceIds(
  session: Session,
  names: readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (!names?.length) return undefined;
  const { sourcesNamed } = await import('#agent-tools/source-names');
  return (await sourcesNamed(await session.agentService(), names)).map(({ id }) => id);
}
