import type { HostedRepository, RoverStepReason } from '#contracts';
import { HostFailure } from '#ingest/github/host-failure';
import type { RepositoryHost } from '#ingest/github/repository-host.port';
import type { Clock } from '#platform';
import {
  MOST_CANDIDATES,
  type RankedRepository,
  rankRepositories,
  repositoryQueries,
  type Understanding,
} from '#research';

import type { ModelDecision } from './model-planner.js';
import { StepFailed } from './step-failure.js';
import type { StepResult } from './step-runner.js';

/** A repository that a job chose. */
export interface ChosenRepository {
  readonly repo: string;
  /** Size on the host with all history, KiB; null if the host did not report it. */
  readonly sizeKib: number | null;
}

/** The output of the step `choose`. */
export interface ChooseOutput {
  readonly chosen: readonly ChosenRepository[];
}

export interface ChooseRequest {
  readonly host: Pick<RepositoryHost, 'search'>;
  readonly understanding: Understanding;
  readonly tenantId: string;
  /** Maximum number of repositories. */
  readonly limit: number;
  /** Milliseconds that all searches together may wait for a rate limit. */
  readonly waitMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Chooses among the ranked repositories; without a plan the best ones are taken. */
  readonly decide: (
    ranked: readonly RankedRepository[],
  ) => Promise<ModelDecision<readonly RankedRepository[]>>;
}

/**
 * Finds repositories for a question by up to three searches on the host, merged by reciprocal rank.
 * @throws StepFailed if a search failed; its output has the repositories that the others found.
 */
export async function chooseRepositories(
  request: ChooseRequest,
): Promise<StepResult<ChooseOutput>> {
  const { understanding, limit, clock, waitMs } = request;
  const lists: (readonly HostedRepository[])[] = [];
  let reason: RoverStepReason | null = null;
  let incomplete = 0;
  const end = clock.monotonic() + waitMs;
  for (const query of repositoryQueries(understanding)) {
    const found = await searchOnce(request, query, Math.max(0, end - clock.monotonic()));
    if (typeof found === 'string') {
      reason = found;
      // A further request would find the same limit exhausted.
      if (found === 'github_rate_limited') break;
      continue;
    }
    lists.push(found.repositories);
    if (found.isIncomplete) incomplete += 1;
  }
  const ranked = rankRepositories(lists, Math.max(limit, MOST_CANDIDATES));
  const { plan, planned, usage } = reason === null ? await request.decide(ranked) : { plan: null };
  const best = plan ?? ranked.slice(0, limit);
  const chosen = best.map(({ repo, sizeKib }) => ({ repo, sizeKib }));
  const details = {
    searches: lists.length,
    repositories: chosen.length,
    ...(incomplete > 0 && { incomplete_searches: incomplete }),
  };
  if (reason !== null) throw new StepFailed(reason, chosen.length > 0 ? { chosen } : undefined);
  return { output: { chosen }, details, planned, ...(usage && { usage }) };
}

/** Returns the result of a search, or the reason why the host gave none. */
async function searchOnce(
  { host, tenantId, signal }: ChooseRequest,
  query: string,
  waitMs: number,
) {
  try {
    return await host.search(query, { tenantId, waitMs, signal });
  } catch (error) {
    if (error instanceof HostFailure) return error.reason;
    throw error;
  }
}
