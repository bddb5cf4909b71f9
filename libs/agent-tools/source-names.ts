import type { SourceView } from '#contracts/http/index';

import type { AgentService } from './agent-service.port.js';
import { oneLine } from './text/one-line.js';
import { ToolProblem } from './tool-problem.js';

const PAGE = 100;
/** Most sources among which a name is looked up. */
const MOST_SOURCES = 5_000;
const MOST_CANDIDATES = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A source by its id and name. */
export interface NamedSource {
  readonly id: string;
  readonly name: string;
}

/**
 * Returns the sources of names, `owner/repo` or ids, in their order.
 * @throws ToolProblem for an unknown or ambiguous name, with the candidates.
 */
export async function sourcesNamed(
  service: AgentService,
  names: readonly string[],
): Promise<readonly NamedSource[]> {
  const isId = names.map((name) => UUID.test(name));
  if (isId.every(Boolean)) return names.map((id) => ({ id: id.toLowerCase(), name: id }));
  const all = await allSources(service);
  return names.map((name, at) =>
    isId[at] ? { id: name.toLowerCase(), name } : sourceNamed(name, all),
  );
}

const MOST_COMPLETIONS = 100;

/** Returns the names of sources that begin with a text, in the order of their names. */
export async function namesLike(service: AgentService, typed: string): Promise<string[]> {
  const start = typed.toLowerCase();
  const names = (await allSources(service))
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().startsWith(start));
  return [...new Set(names)].sort().slice(0, MOST_COMPLETIONS);
}

async function allSources(service: AgentService): Promise<readonly SourceView[]> {
  const found: SourceView[] = [];
  while (found.length < MOST_SOURCES) {
    const { sources, total } = await service.listSources({ skip: found.length, limit: PAGE });
    found.push(...sources);
    if (sources.length === 0 || found.length >= total) break;
  }
  return found;
}

function sourceNamed(name: string, all: readonly SourceView[]): NamedSource {
  const wanted = name.trim().toLowerCase();
  const exact = all.filter((source) => source.name.toLowerCase() === wanted);
  const matches = exact.length > 0 ? exact : all.filter(({ url }) => repositoryOf(url) === wanted);
  const [only, other] = matches;
  if (only && !other) return { id: only.id, name: only.name };
  if (only) {
    const ids = matches.slice(0, MOST_CANDIDATES).map(described);
    throw new ToolProblem(`Source ${quoted(name)} is ambiguous; name one by id: ${ids.join('; ')}`);
  }
  const near = nearest(wanted, all).map(({ name: other }) => quoted(other));
  const hint = near.length > 0 ? `The nearest names: ${near.join(', ')}.` : 'There are no sources.';
  throw new ToolProblem(`No source is named ${quoted(name)}. ${hint} list_sources lists all.`);
}

function described({ id, name, url }: SourceView): string {
  return `${id} (${oneLine(name)}, ${oneLine(url)})`;
}

/** Returns `owner/repo` of the address of a repository, in lower case. */
function repositoryOf(url: string): string | null {
  const parts = url
    .toLowerCase()
    .replace(/\.git$|\/$/g, '')
    .split(/[/:]/);
  const [owner, repo] = parts.slice(-2);
  return owner && repo ? `${owner}/${repo}` : null;
}

/** Returns the sources whose names share most letter pairs with the wanted one, best first. */
function nearest(wanted: string, all: readonly SourceView[]): readonly SourceView[] {
  const pairs = pairsOf(wanted);
  const scored = all.map((source) => {
    const others = pairsOf(source.name.toLowerCase());
    const shared = [...pairs].filter((pair) => others.has(pair)).length;
    return { source, score: (2 * shared) / Math.max(1, pairs.size + others.size) };
  });
  scored.sort((one, other) => other.score - one.score);
  return scored.slice(0, 5).map(({ source }) => source);
}

function pairsOf(text: string): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)),
  );
}

function quoted(name: string): string {
  return `"${oneLine(name.slice(0, 100))}"`;
}
