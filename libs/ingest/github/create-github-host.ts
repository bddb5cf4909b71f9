import { AddressGuard, type Clock, type Config } from '#platform';
import { GuardedHttp } from '#platform/http/guarded-http';

import { GitHubHost } from './github-host.js';
import type { RepositoryHost } from './repository-host.port.js';
import type { Wait } from './request-lane.js';

export interface GitHubHostContext {
  readonly config: Pick<Config, 'github' | 'network'>;
  readonly clock: Clock;
  /** Default: a timer. */
  readonly wait?: Wait;
}

/** A host with its connections. */
export interface OpenedGitHubHost {
  readonly host: RepositoryHost;
  close(): Promise<void>;
}

/** Creates the client of the configured GitHub; sends no request. */
export function createGitHubHost({ config, clock, wait }: GitHubHostContext): OpenedGitHubHost {
  const { apiUrl, token, tokenTenants } = config.github;
  const guard = new AddressGuard({ allowPrivateNetworks: config.network.allowPrivateNetworks });
  const http = new GuardedHttp({ guard, trustedOrigins: [apiUrl] });
  const host = new GitHubHost({
    http,
    apiUrl,
    token,
    tokenTenants,
    clock,
    ...(wait === undefined ? {} : { wait }),
  });
  return { host, close: () => http.close() };
}
