import { LRUCache } from 'lru-cache';

import type { HostedRepository } from '#contracts';
import { backOffMs, type Clock, sleep } from '#platform';
import type { GuardedHttp, GuardedResponse } from '#platform/http/guarded-http';

import { readRepository, readSearch, REPOSITORY_NAME } from './github-answers.js';
import { HostFailure } from './host-failure.js';
import { isLimited } from './rate-limit-wait.js';
import type { HostCaller, RepositoryHost, RepositorySearch } from './repository-host.port.js';
import { type LimitedResource, RequestLane, type Wait } from './request-lane.js';

export interface GitHubHostDependencies {
  /** Client that trusts the origin of `apiUrl`. */
  readonly http: Pick<GuardedHttp, 'request'>;
  /** `https://api.github.com`, or `https://HOST/api/v3`. */
  readonly apiUrl: string;
  readonly token: string | undefined;
  /** Tenants that the token serves. */
  readonly tokenTenants: readonly string[];
  readonly clock: Clock;
  /** Default: a timer. */
  readonly wait?: Wait;
}

const MOST_RESULTS = 30;
const MOST_QUERY = 256;
const MOST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
/** Time that a request may wait for its turn. */
const TURN_MS = 60_000;
const MOST_ATTEMPTS = 4;
const RETRIES = { firstMs: 1_000, longestMs: 60_000 };
const MOST_CACHED = 500;
/** Age up to which an answer needs no request: without a token, all tenants share one limit. */
const FRESH_MS = 60_000;
/** Status of a request without an answer. */
const NO_ANSWER = { status: 0, headers: {} };

interface Cached {
  readonly etag: string | undefined;
  readonly value: unknown;
  readonly at: number;
}

/** A request with the reader of its answer; the reader returns undefined for an unusable one. */
interface Asked<T> {
  readonly resource: LimitedResource;
  readonly read: (answer: unknown) => T | undefined;
  readonly caller: HostCaller;
}

/** Client of GitHub's REST API. The token goes to the origin of the API alone. */
export class GitHubHost implements RepositoryHost {
  private readonly lanes = new Map<string | undefined, RequestLane>();
  /** By token and URL: another token has other ETags, and may see other repositories. */
  private readonly cache = new LRUCache<string, Cached>({ max: MOST_CACHED });
  private readonly wait: Wait;

  constructor(private readonly dependencies: GitHubHostDependencies) {
    this.wait = dependencies.wait ?? ((milliseconds, signal) => sleep(milliseconds, signal));
  }

  async search(query: string, caller: HostCaller): Promise<RepositorySearch> {
    if (query.trim() === '' || query.length > MOST_QUERY)
      throw new RangeError(`query must have 1 to ${MOST_QUERY} characters (got ${query.length})`);
    const parameters = new URLSearchParams({ q: query, per_page: String(MOST_RESULTS) });
    const path = `/search/repositories?${parameters.toString()}`;
    return this.get(path, { resource: 'search', read: readResults, caller });
  }

  async describe(repo: string, caller: HostCaller): Promise<HostedRepository> {
    if (!REPOSITORY_NAME.test(repo))
      throw new HostFailure('repository_not_found', 'The name is not a repository on GitHub');
    const { isDisabled, ...found } = await this.get(`/repos/${repo}`, {
      resource: 'core',
      read: readRepository,
      caller,
    });
    if (isDisabled) throw new HostFailure('repository_unavailable', 'The repository is disabled');
    return found;
  }

  private get<T>(path: string, asked: Asked<T>): Promise<T> {
    const { caller } = asked;
    const { token, tokenTenants } = this.dependencies;
    const own = tokenTenants.includes(caller.tenantId) ? token : undefined;
    const fresh = this.cache.get(keyOf(path, own));
    if (fresh && this.now() - fresh.at < FRESH_MS) return Promise.resolve(fresh.value as T);
    const turn = AbortSignal.timeout(TURN_MS + Math.ceil(caller.waitMs));
    const signal = caller.signal ? AbortSignal.any([turn, caller.signal]) : turn;
    return this.laneOf(own)
      .run(caller.tenantId, () => this.request(path, own, asked, signal), signal)
      .catch((error: unknown) => {
        caller.signal?.throwIfAborted();
        if (!turn.aborted || error instanceof HostFailure) throw error;
        throw new HostFailure('github_rate_limited', 'The queue of requests to GitHub is too long');
      });
  }

  private async request<T>(
    path: string,
    token: string | undefined,
    { resource, read, caller }: Asked<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const key = keyOf(path, token);
    const lane = this.laneOf(token);
    let waitMs = caller.waitMs;
    for (let attempt = 1; ; attempt += 1) {
      waitMs -= await lane.untilFree(resource, waitMs, signal);
      const cached = this.cache.get(key);
      const answer = await this.send(path, token, cached?.etag, signal);
      const { status, headers }: Pick<GuardedResponse, 'status' | 'headers'> = answer ?? NO_ANSWER;
      const body = answer ? Buffer.from(answer.body).toString('utf8') : '';
      const limited = { status, headers, body };
      if (isLimited(limited)) {
        lane.rejected(resource, limited);
        if (attempt === MOST_ATTEMPTS)
          throw new HostFailure('github_rate_limited', 'GitHub repeats that a limit is exhausted');
        continue;
      }
      lane.accepted(resource, headers);
      if (status === 304 && cached) return this.keep(key, cached.etag, cached.value as T);
      if (status === 200) return this.keep(key, headers['etag'], read(parse(body)) ?? unusable());
      const isPassing = status === 0 || status >= 500;
      if (!isPassing || attempt === MOST_ATTEMPTS) throw failureOf(status);
      const pause = backOffMs(RETRIES, attempt);
      if (pause > waitMs) throw failureOf(status);
      waitMs -= pause;
      await this.wait(pause, signal);
      signal.throwIfAborted();
    }
  }

  /** Returns undefined if no answer arrived. */
  private async send(
    path: string,
    token: string | undefined,
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<GuardedResponse | undefined> {
    const { http, apiUrl } = this.dependencies;
    try {
      return await http.request(`${apiUrl.replace(/\/$/, '')}${path}`, {
        headers: {
          accept: 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
        },
        signal,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MOST_BYTES,
        sameOrigin: true,
      });
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  private keep<T>(key: string, etag: string | undefined, value: T): T {
    this.cache.set(key, { etag, value, at: this.now() });
    return value;
  }

  private laneOf(token: string | undefined): RequestLane {
    const known = this.lanes.get(token);
    const lane = known ?? new RequestLane(this.dependencies.clock, this.wait);
    if (!known) this.lanes.set(token, lane);
    return lane;
  }

  private now(): number {
    return this.dependencies.clock.now().getTime();
  }
}

function keyOf(path: string, token: string | undefined): string {
  return `${token ?? ''}\n${path}`;
}

function readResults(answer: unknown): RepositorySearch | undefined {
  return readSearch(answer, MOST_RESULTS);
}

function failureOf(status: number): HostFailure {
  switch (status) {
    case 401:
      return new HostFailure('github_unavailable', 'GitHub rejects the token');
    case 404:
      return new HostFailure(
        'repository_not_found',
        'The repository does not exist, or is private',
      );
    case 403:
      return new HostFailure('repository_unavailable', 'GitHub denies access to the repository');
    case 451:
      return new HostFailure(
        'repository_unavailable',
        'The repository is unavailable for legal reasons',
      );
    case 0:
      return new HostFailure('github_unavailable', 'GitHub did not answer');
    default:
      return new HostFailure('github_unavailable', `GitHub answered with status ${status}`);
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return unusable();
  }
}

function unusable(): never {
  throw new HostFailure('github_unavailable', 'GitHub sent an answer that cannot be read');
}
