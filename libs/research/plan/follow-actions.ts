import { analyze } from '#retrieval';

import { belongsTo } from '../manifests/imports-in.js';
import { readManifest } from '../manifests/read-manifest.js';
import type { Observation, ResearchPassage, SearchAction } from './action.types.js';
import { importedNames } from './imported-names.js';
import { mergeObservations } from './merge-observations.js';
import type { PackageLink } from './package-link.js';
import type { Understanding } from './question.types.js';
import type { AttachedRepository } from './repository.types.js';
import { newActions, searchAction } from './search-action.js';
import { TEST_PATHS } from './search-actions.js';

/** Best passages of a repository that are followed. */
const MOST_PASSAGES = 6;
const MOST_FILES = 2;
const MOST_NAMES = 4;
const MOST_CALLED = 2;

/** Input of the searches that follow imports. */
export interface FollowInput {
  readonly understanding: Understanding;
  readonly repositories: readonly AttachedRepository[];
  readonly observations: readonly Observation[];
  /** Maximum number of actions. */
  readonly limit: number;
}

/**
 * Returns the next searches across repositories, where one repository requires a package that
 * another provides. They find its import lines, the definitions of imported names, the callers of
 * found definitions, and tests. Call it again with the new observations; it returns only new
 * actions, and none at the end.
 */
export function followActions(input: FollowInput): SearchAction[] {
  const { understanding, repositories, observations, limit } = input;
  const merged = mergeObservations(observations);
  const best = new Map(
    repositories.map(({ repo }) => [
      repo,
      merged.filter((passage) => passage.repo === repo).slice(0, MOST_PASSAGES),
    ]),
  );
  const done = observations.map(({ action }) => action);
  const lists = packageLinks(repositories).map((link) => {
    const own = best.get(link.from) ?? [];
    const names = ranked(importedNames(link, own, merged), understanding);
    return [
      ...names.slice(0, MOST_NAMES).map((name) => definition(name, link.to)),
      ...calledNames(best.get(link.to) ?? [], understanding).map((name) => caller(name, link.from)),
      ...importLookups(link, own, merged),
    ];
  });
  return newActions(
    [...interleave(lists), ...tests(understanding, repositories, merged)],
    done,
    limit,
  );
}

/** Returns the pairs of repositories of which one requires a package of the other. */
function packageLinks(repositories: readonly AttachedRepository[]): PackageLink[] {
  const read = repositories.map(({ repo, manifests }) => ({
    repo,
    manifests: manifests.flatMap((file) => readManifest(file) ?? []),
  }));
  return read.flatMap((from) =>
    read.flatMap((to) => {
      if (from.repo === to.repo) return [];
      const own = new Set(from.manifests.flatMap(({ provides }) => provides));
      const found = to.manifests.flatMap(({ ecosystem, provides }) =>
        provides
          .filter((name) => !own.has(name))
          .filter((name) =>
            from.manifests.some(
              (manifest) =>
                manifest.ecosystem === ecosystem &&
                manifest.requires.some((each) => each === name || belongsTo(each, name, ecosystem)),
            ),
          )
          .map((provided): PackageLink => ({ from: from.repo, to: to.repo, provided, ecosystem })),
      );
      return found.slice(0, 2);
    }),
  );
}

function definition(name: string, repo: string): SearchAction {
  const fixed = { repositories: [repo], paths: [], isMultiHop: false };
  return searchAction({ ...fixed, purpose: 'definition', query: name });
}

function caller(name: string, repo: string): SearchAction {
  const fixed = { repositories: [repo], paths: [], isMultiHop: false };
  return searchAction({ ...fixed, purpose: 'caller', query: name });
}

/** Returns searches for the import lines of files that no passage shows. */
function importLookups(
  { from, provided }: PackageLink,
  own: readonly ResearchPassage[],
  all: readonly ResearchPassage[],
): SearchAction[] {
  const files = [...new Set(own.map(({ result }) => result.citation.path))].filter(
    (path) => !/[*?{}[\]!\\]/.test(path) && !showsFileStart(path, from, all),
  );
  const last = provided.split(/[/:]/).at(-1) ?? provided;
  return files.slice(0, MOST_FILES).map((path) =>
    searchAction({
      purpose: 'import',
      query: `import ${last}`,
      repositories: [from],
      paths: [path],
      isMultiHop: false,
    }),
  );
}

function showsFileStart(path: string, repo: string, all: readonly ResearchPassage[]): boolean {
  return all.some(
    (passage) =>
      passage.repo === repo &&
      passage.result.citation.path === path &&
      (passage.result.citation.start_line ?? 1) <= 1,
  );
}

/** Returns the last parts of symbols in the best passages, by their share of the question. */
function calledNames(passages: readonly ResearchPassage[], understanding: Understanding): string[] {
  const symbols = passages.flatMap(({ result: { citation } }) =>
    citation.chunk_type === 'code' && citation.symbol !== undefined ? [citation.symbol] : [],
  );
  const names = symbols
    .map((symbol) => symbol.split(/[^\w$]+/).findLast((part) => part !== '') ?? '')
    .filter((name) => name.length > 2 && !/^(?:new|init|main|get|set|run|__\w+__)$/.test(name));
  return ranked(names, understanding).slice(0, MOST_CALLED);
}

/** Orders names by their share of the question's terms, then by first appearance. */
function ranked(names: readonly string[], { terms, identifiers }: Understanding): string[] {
  const asked = new Set([...terms, ...identifiers.flatMap((name) => analyze(name))]);
  const shared = (name: string): number => analyze(name).filter((term) => asked.has(term)).length;
  return [...new Set(names)]
    .map((name, at) => ({ name, at, count: shared(name) }))
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .map(({ name }) => name);
}

/** Returns one search for tests of what was found, where the question asks how or who calls. */
function tests(
  understanding: Understanding,
  repositories: readonly AttachedRepository[],
  merged: readonly ResearchPassage[],
): SearchAction[] {
  if (understanding.kind !== 'callers' && understanding.kind !== 'how') return [];
  const [name = calledNames(merged.slice(0, MOST_PASSAGES), understanding)[0]] =
    understanding.identifiers;
  if (name === undefined) return [];
  return [
    searchAction({
      purpose: 'test',
      query: name,
      repositories: repositories.map(({ repo }) => repo),
      paths: TEST_PATHS,
      isMultiHop: false,
    }),
  ];
}

/** Takes one entry of each list in turn. */
function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
}
