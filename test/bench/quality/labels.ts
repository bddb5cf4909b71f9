import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { QuerySet } from './query-set.js';
import { readCode } from './read-code.js';

/**
 * The repositories that parameters may be chosen on. All others of the benchmark are kept for an
 * independent check: this runner never reads their queries.
 */
export const TUNING_REPOSITORIES = [
  'flask',
  'click',
  'gin',
  'gson',
  'tokio',
  'trpc',
  'cats',
  'phoenix',
  'kotlinx-coroutines',
  'libuv',
] as const;

export interface LabeledQuery {
  readonly query: string;
  readonly category: string;
  readonly targets: readonly Target[];
}

/** A file that answers a query, or some lines of it. */
export interface Target {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
}

type WireTarget =
  string | { readonly path: string; readonly start_line?: number; readonly end_line?: number };

/**
 * The public labels (`benchmarks/repos.json` and `benchmarks/annotations/*.json`) of some
 * repositories, each at the revision and with the folder that they name.
 *
 * @param repos folder of git repositories by their names in the labels
 */
export function labeledSets(folder: string, repos: string, names: readonly string[]): QuerySet[] {
  const read = <T>(...path: string[]): T =>
    JSON.parse(readFileSync(join(folder, ...path), 'utf8')) as T;
  const repositories =
    read<{ name: string; revision: string; benchmark_root?: string }[]>('repos.json');
  return names.map((name) => {
    const repository = repositories.find((each) => each.name === name);
    if (!repository) throw new Error(`The labels know no repository ${name}`);
    const annotations = read<
      { query: string; category: string; relevant: WireTarget[]; secondary?: WireTarget[] }[]
    >('annotations', `${name}.json`);
    const queries = annotations.map(({ query, category, relevant, secondary = [] }) => ({
      query,
      category,
      targets: [...relevant, ...secondary].map(targetOf),
    }));
    const { revision, benchmark_root: root } = repository;
    return {
      name,
      revision,
      queries,
      documents: () => readCode(join(repos, name), revision, root),
    };
  });
}

function targetOf(target: WireTarget): Target {
  if (typeof target === 'string') return { path: target };
  const { path, start_line, end_line } = target;
  return {
    path,
    ...(start_line !== undefined && { startLine: start_line }),
    ...(end_line !== undefined && { endLine: end_line }),
  };
}
