import { z } from 'zod';

import type { HostedRepository } from '#contracts';

import type { RepositorySearch } from './repository-host.port.js';

/** Characters of `owner/name` on GitHub. */
export const REPOSITORY_NAME = /^[A-Za-z0-9-]{1,39}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

const repository = z.object({
  full_name: z.string().regex(REPOSITORY_NAME),
  description: z.string().nullish(),
  stargazers_count: z.number().int().nonnegative().catch(0),
  archived: z.boolean().catch(false),
  fork: z.boolean().catch(false),
  disabled: z.boolean().catch(false),
  size: z.number().nonnegative().catch(0),
  default_branch: z.string().min(1).max(255),
});
const search = z.object({
  incomplete_results: z.boolean().catch(false),
  items: z.array(z.unknown()),
});

const MOST_DESCRIPTION = 1_000;

/** Repository with the reason for which it cannot be read. */
export type ReadRepository = HostedRepository & { readonly isDisabled: boolean };

/** Returns a repository; undefined if the answer is not one. */
export function readRepository(answer: unknown): ReadRepository | undefined {
  const parsed = repository.safeParse(answer);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  return {
    repo: data.full_name,
    description: data.description?.slice(0, MOST_DESCRIPTION).toWellFormed() ?? null,
    stars: data.stargazers_count,
    isArchived: data.archived,
    isFork: data.fork,
    isDisabled: data.disabled,
    sizeKib: data.size,
    defaultBranch: data.default_branch,
  };
}

/** Returns the readable repositories of a search; undefined if the answer is not one. */
export function readSearch(answer: unknown, limit: number): RepositorySearch | undefined {
  const parsed = search.safeParse(answer);
  if (!parsed.success) return undefined;
  const repositories = parsed.data.items.slice(0, limit).flatMap((item) => {
    const { isDisabled, ...found } = readRepository(item) ?? { isDisabled: true };
    return isDisabled || !('repo' in found) ? [] : [found];
  });
  return { repositories, isIncomplete: parsed.data.incomplete_results };
}
