import type { HostedRepository } from '#contracts';
import { HostFailure } from '#ingest/github/host-failure';
import type {
  HostCaller,
  RepositoryHost,
  RepositorySearch,
} from '#ingest/github/repository-host.port';

/** A host in memory, for tests of its callers. */
export class MemoryRepositoryHost implements RepositoryHost {
  constructor(private readonly repositories: readonly HostedRepository[]) {}

  async search(query: string, { signal }: HostCaller): Promise<RepositorySearch> {
    signal?.throwIfAborted();
    const words = query.toLowerCase().split(/\s+/);
    const repositories = this.repositories.filter(({ repo, description }) =>
      words.every((word) => `${repo} ${description ?? ''}`.toLowerCase().includes(word)),
    );
    return Promise.resolve({ repositories, isIncomplete: false });
  }

  async describe(repo: string, { signal }: HostCaller): Promise<HostedRepository> {
    signal?.throwIfAborted();
    const found = this.repositories.find((each) => each.repo.toLowerCase() === repo.toLowerCase());
    if (!found) throw new HostFailure('repository_not_found', 'The repository does not exist');
    return Promise.resolve(found);
  }
}
