import type { HostedRepository } from '#contracts';

/** The answer to a search, best first. */
export interface RepositorySearch {
  readonly repositories: readonly HostedRepository[];
  /** True if the host ended the search before it was complete. */
  readonly isIncomplete: boolean;
}

/** The caller of a request, and its limits. */
export interface HostCaller {
  readonly tenantId: string;
  /** Maximum milliseconds to wait for a rate limit. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Search and metadata of a host of repositories. */
export interface RepositoryHost {
  /**
   * Searches repositories by words; at most 30 are returned.
   *
   * @throws HostFailure; the signal's reason if it aborts.
   */
  search(query: string, caller: HostCaller): Promise<RepositorySearch>;
  /**
   * Returns one repository by `owner/name`.
   *
   * @throws HostFailure; the signal's reason if it aborts.
   */
  describe(repo: string, caller: HostCaller): Promise<HostedRepository>;
}
