import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { HostedRepository } from '#contracts';
import type { Clock } from '#platform';

/** A request as the server saw it, with its answer. */
export interface LoggedRequest {
  readonly path: string;
  readonly resource: 'core' | 'search';
  readonly authorization: string | undefined;
  readonly status: number;
  /** Whether another request of the same token was under way. */
  readonly isConcurrent: boolean;
}

/** An answer that a test prescribes for the next request of a path. */
export interface PrescribedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The server never answers. */
  readonly isSilent?: boolean;
}

export interface GitHubServerOptions {
  readonly clock: Clock;
  readonly repositories: readonly HostedRepository[];
  /** Requests of a window, per token. Default: GitHub's numbers with a token. */
  readonly limits?: { readonly core: number; readonly search: number };
  /** Enterprise servers may send no limit headers. */
  readonly hasHeaders?: boolean;
}

const WINDOWS = { core: 3_600_000, search: 60_000 };

/** A server that answers as GitHub's REST API: search, metadata, ETags, limits and faults. */
export class GitHubServer {
  readonly log: LoggedRequest[] = [];
  private readonly server = createServer((request, response) => this.answer(request, response));
  private readonly windows = new Map<string, { resetAt: number; used: number }>();
  private readonly prescribed = new Map<string, PrescribedAnswer[]>();
  private readonly underWay = new Map<string, number>();

  constructor(private readonly options: GitHubServerOptions) {}

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Prescribes answers for the next requests of a path without its query. */
  prescribe(path: string, ...answers: readonly PrescribedAnswer[]): void {
    this.prescribed.set(path, [...(this.prescribed.get(path) ?? []), ...answers]);
  }

  /** Rejections because a limit of the server was exceeded; prescribed ones do not count. */
  exceeded = 0;

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://host');
    const { authorization } = request.headers;
    const owner = authorization ?? 'anonymous';
    const resource = url.pathname.startsWith('/search/') ? 'search' : 'core';
    const others = this.underWay.get(owner) ?? 0;
    this.underWay.set(owner, others + 1);
    response.on('close', () => this.underWay.set(owner, (this.underWay.get(owner) ?? 1) - 1));
    const next = this.prescribed.get(url.pathname)?.shift();
    const given = next ?? this.ordinary(url, owner, resource, request.headers['if-none-match']);
    this.log.push({
      path: url.pathname + url.search,
      resource,
      authorization,
      status: given.status,
      isConcurrent: others > 0,
    });
    if (given.isSilent) return;
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
    response.end(given.status === 304 ? undefined : JSON.stringify(given.body ?? {}));
  }

  private ordinary(
    url: URL,
    owner: string,
    resource: 'core' | 'search',
    etag: string | undefined,
  ): PrescribedAnswer {
    const now = this.options.clock.now().getTime();
    const key = `${owner}\n${resource}`;
    const known = this.windows.get(key);
    const window =
      known && known.resetAt > now ? known : { resetAt: now + WINDOWS[resource], used: 0 };
    this.windows.set(key, window);
    const { core = 5_000, search = 30 } = this.options.limits ?? {};
    const limit = { core, search }[resource];
    const body = this.bodyOf(url);
    const tag = `"${createHash('sha256')
      .update(owner)
      .update(JSON.stringify(body ?? null))
      .digest('hex')}"`;
    const isFree = etag === tag && owner !== 'anonymous';
    if (!isFree) window.used += 1;
    const headers = this.options.hasHeaders === false ? {} : limitHeaders(limit, window, resource);
    if (window.used > limit) {
      this.exceeded += 1;
      return { status: 403, headers, body: { message: 'API rate limit exceeded' } };
    }
    if (body === undefined) return { status: 404, headers, body: { message: 'Not Found' } };
    if (etag === tag) return { status: 304, headers: { ...headers, etag: tag } };
    return { status: 200, headers: { ...headers, etag: tag }, body };
  }

  private bodyOf({ pathname, searchParams }: URL): unknown {
    const { repositories } = this.options;
    if (pathname === '/search/repositories') {
      const words = (searchParams.get('q') ?? '').toLowerCase().split(/\s+/);
      const items = repositories.filter(({ repo, description }) =>
        words.every((word) => `${repo} ${description ?? ''}`.toLowerCase().includes(word)),
      );
      return { total_count: items.length, incomplete_results: false, items: items.map(described) };
    }
    const repo = pathname.replace(/^\/repos\//, '').toLowerCase();
    const found = repositories.find((each) => each.repo.toLowerCase() === repo);
    return found && described(found);
  }
}

/** Returns a repository in the fields of GitHub's API. */
export function described(repository: HostedRepository): Record<string, unknown> {
  return {
    full_name: repository.repo,
    description: repository.description,
    stargazers_count: repository.stars,
    archived: repository.isArchived,
    fork: repository.isFork,
    disabled: false,
    size: repository.sizeKib,
    default_branch: repository.defaultBranch,
  };
}

function limitHeaders(
  limit: number,
  window: { readonly resetAt: number; readonly used: number },
  resource: string,
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - window.used)),
    'x-ratelimit-reset': String(Math.ceil(window.resetAt / 1_000)),
    'x-ratelimit-resource': resource,
  };
}
