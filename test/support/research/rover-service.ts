import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

import type { HostedRepository } from '#contracts';
import type { RoverJobView } from '#contracts/http/index';
import { createFetchers } from '#ingest/fetchers';
import { systemClock } from '#platform';

import { GitHttpServer } from '../git-http-server.js';
import { described, GitHubServer } from '../github/github-server.js';
import { PackagesService } from '../packages-service.js';
import { SourceRepository } from '../source-repository.js';
import { tempDir } from '../temp-dir.js';

/** A published repository with its newest commit. */
interface Published {
  readonly repository: SourceRepository;
  commit: string;
}

/**
 * The whole service with a host of repositories on loopback: git over HTTP, and the API of GitHub
 * with its limits.
 */
export class RoverService {
  /** Repositories that the API of the host knows. */
  readonly hosted: HostedRepository[] = [];
  readonly github = new GitHubServer({ clock: systemClock, repositories: this.hosted });
  /** Unanswered requests: all to the owner `slow`, and those for content to the owner `held`. */
  readonly held: ServerResponse[] = [];
  /** Requests for content that wait for {@link release}. */
  private readonly waiting: (() => void)[] = [];
  private isReleased = false;
  /** Repositories that answer with status 503. */
  readonly away = new Set<string>();
  private readonly folder = tempDir();
  readonly git = new GitHttpServer(this.folder.path, (request, response, path) =>
    this.route(request, response, path),
  );
  private readonly published = new Map<string, Published>();
  private started: PackagesService | undefined;

  get service(): PackagesService {
    if (!this.started) throw new Error('The service is not started');
    return this.started;
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.started = await PackagesService.start(
      { ...(await this.serveHost()), ...environment },
      undefined,
      (config, blobs, packages) => ({ ...createFetchers(config, blobs), package: packages }),
    );
  }

  /** Serves the host alone. @returns the settings of a service that uses it. */
  async serveHost(): Promise<Record<string, string>> {
    return {
      GITHUB_GIT_URL: await this.git.listen(),
      GITHUB_API_URL: await this.github.start(),
      ALLOW_PRIVATE_NETWORKS: 'true',
    };
  }

  async stop(): Promise<void> {
    await this.started?.stop();
    await this.git.close();
    await this.github.stop();
    for (const { repository } of this.published.values()) repository.remove();
    this.folder.remove();
  }

  /** Publishes a repository with one commit, or without any if it has no files. */
  publish(name: string, files: Readonly<Record<string, string>>): string {
    const repository = new SourceRepository();
    const commit = Object.keys(files).length > 0 ? repository.commit(files) : '';
    this.published.set(name, { repository, commit });
    this.upload(name);
    return commit;
  }

  /** Publishes a repository that the search of the host finds. */
  host(
    repo: string,
    files: Readonly<Record<string, string>>,
    about: Partial<HostedRepository> = {},
  ): string {
    const facts = { description: null, stars: 1, isArchived: false, isFork: false };
    this.hosted.push({ repo, ...facts, sizeKib: 10, defaultBranch: 'main', ...about });
    return this.publish(repo, files);
  }

  /** Returns the body of a search of the host that finds repositories. */
  results(repos: readonly string[]): object {
    const items = this.hosted.filter(({ repo }) => repos.includes(repo)).map(described);
    return { total_count: items.length, incomplete_results: false, items };
  }

  /** Replaces the history of a repository: its earlier commits are gone from the host. */
  rewrite(name: string, files: Readonly<Record<string, string>>): string {
    this.published.get(name)?.repository.remove();
    this.unpublish(name);
    return this.publish(name, files);
  }

  /** Adds a commit to a repository. */
  push(name: string, files: Readonly<Record<string, string>>): void {
    const published = this.published.get(name);
    if (!published) throw new Error(`${name} is not published`);
    published.commit = published.repository.commit(files);
    this.unpublish(name);
    this.upload(name);
  }

  /** Answers the held requests for content, and every later one at once. */
  release(): void {
    this.isReleased = true;
    for (const answer of this.waiting.splice(0)) answer();
  }

  /** Returns the id of a file's blob in the newest commit. */
  blobOf(name: string, path: string): string {
    return this.published.get(name)?.repository.git('rev-parse', `HEAD:${path}`) ?? '';
  }

  /** Removes a repository from the host. */
  unpublish(name: string): void {
    rmSync(join(this.folder.path, name), { recursive: true, force: true });
  }

  commitOf(name: string): string {
    return this.published.get(name)?.commit ?? '';
  }

  /** Returns a file of a repository as git has it. */
  show(name: string, commit: string, path: string): string {
    return this.published.get(name)?.repository.show(commit, path).toString() ?? '';
  }

  async create(body: object, tenant = 0): Promise<RoverJobView> {
    const answer = await this.service.call<RoverJobView>('POST', '/rover/jobs', body, { tenant });
    return answer.body;
  }

  async get(id: string, tenant = 0): Promise<RoverJobView> {
    const path = `/rover/jobs/${id}`;
    return (await this.service.call<RoverJobView>('GET', path, undefined, { tenant })).body;
  }

  /** Waits for the end of a job. */
  ended(id: string, tenant = 0): Promise<RoverJobView> {
    return this.service.until(async () => {
      const job = await this.get(id, tenant);
      return ['completed', 'failed', 'cancelled'].includes(job.status) && job;
    }, `the end of ${id}`);
  }

  /** Creates a job and waits for its end. */
  async finished(body: object, tenant = 0): Promise<RoverJobView> {
    return this.ended((await this.create(body, tenant)).id, tenant);
  }

  /** Returns the used amount of a quota. */
  async used(metric: string, tenant = 0): Promise<number> {
    const { body } = await this.service.call<{ usage: { metric: string; used: number }[] }>(
      'GET',
      '/quota/usage',
      undefined,
      { tenant },
    );
    return body.usage.find((usage) => usage.metric === metric)?.used ?? NaN;
  }

  private upload(name: string): void {
    const path = join(this.folder.path, name);
    mkdirSync(path, { recursive: true });
    const from = this.published.get(name)?.repository.folder ?? '';
    execFileSync('git', ['clone', '--quiet', '--bare', from, path]);
  }

  private route(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    if ([...this.away].some((name) => path.startsWith(`/${name}/`))) {
      response.writeHead(503).end();
      return true;
    }
    if (path.startsWith('/held/') && request.method === 'POST' && !this.isReleased) {
      this.hold(request, response, path);
      return true;
    }
    if (path.startsWith('/slow/')) this.held.push(response);
    return path.startsWith('/slow/');
  }

  /** Holds a request for content; one for references is answered. */
  private hold(request: IncomingMessage, response: ServerResponse, path: string): void {
    request.once('readable', () => {
      const body = request.read() as Buffer | null;
      if (body) request.unshift(body);
      const answer = () => this.git.pass(request, response, path);
      if (!body?.includes('command=fetch')) return answer();
      this.waiting.push(answer);
      return this.held.push(response);
    });
  }
}
