import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The repositories that parameters may be chosen on. All others of the benchmark are kept for an independent check: this
 * runner never reads their queries.
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

export interface LabelledRepository {
  readonly name: string;
  readonly revision: string;
  /** Folder that is indexed; the whole repository when absent. */
  readonly root: string | undefined;
  readonly queries: readonly LabelledQuery[];
}

export interface LabelledQuery {
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

type WireTarget = string | { readonly path: string; readonly start_line?: number; readonly end_line?: number };

/** Reads the public labels (`benchmarks/repos.json` and `benchmarks/annotations/*.json`) of some repositories. */
export function readLabels(folder: string, names: readonly string[]): LabelledRepository[] {
  const read = <T>(...path: string[]): T => JSON.parse(readFileSync(join(folder, ...path), 'utf8')) as T;
  const repositories = read<{ name: string; revision: string; benchmark_root?: string }[]>('repos.json');
  return names.map((name) => {
    const repository = repositories.find((each) => each.name === name);
    if (!repository) throw new Error(`The labels know no repository ${name}`);
    const annotations = read<{ query: string; category: string; relevant: WireTarget[]; secondary?: WireTarget[] }[]>(
      'annotations',
      `${name}.json`,
    );
    const queries = annotations.map(({ query, category, relevant, secondary = [] }) => ({
      query,
      category,
      targets: [...relevant, ...secondary].map(targetOf),
    }));
    return { name, revision: repository.revision, root: repository.benchmark_root, queries };
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
