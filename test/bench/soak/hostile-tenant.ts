import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ApiClient } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';

import { HostileRequests } from './hostile-requests.js';
import type { HostileSite } from './hostile-site.js';
import type { Ledger } from './ledger.js';

/** A revoked key must be refused within this. */
const REVOKED_WITHIN_MS = 2_000;
const STREAMS = 30;
/** Paths of the bomb: so many entries of a folder, to the third power. */
const BOMB_WIDTH = 100;
/** Sources that stand on servers that never finish. */
const MAX_STUCK = 12;
const MAX_PAUSE_MS = 1_500;

export interface HostileSurroundings {
  readonly scratch: string;
  readonly serverUrl: string;
  readonly serviceUrl: string;
  readonly site: HostileSite;
  readonly ruledSite: HostileSite;
  readonly ledger: Ledger;
  readonly random: () => number;
  readonly wasInterrupted: (from: number, to: number) => boolean;
}

/** A tenant that does everything that was ever found to hurt others, one thing after the other. */
export class HostileTenant {
  readonly moves = new Map<string, number>();
  /** Things that must not happen and did. */
  readonly broken: string[] = [];
  private readonly sources: string[] = [];
  private names = 0;
  private readonly bomb: TestRepository;
  private readonly odd: TestRepository;

  constructor(private readonly around: HostileSurroundings) {
    this.bomb = treeBomb(join(around.scratch, 'bomb'));
    this.odd = TestRepository.create(join(around.scratch, 'odd'), { 'plain.md': 'plain' });
  }

  /** Until the signal aborts; what a restart interrupts is nobody's fault. */
  async run(signal: AbortSignal): Promise<void> {
    const moves: Readonly<Record<string, () => Promise<void>>> = {
      'slow servers': () => this.stuckSync('slow'),
      'silent servers': () => this.stuckSync('silent'),
      'broken answers': () => this.syncNew(`${this.around.serverUrl}/broken/${this.names}.git`),
      'tree bombs': () => this.syncNew(this.bomb.url),
      'odd names': () => this.oddNames(),
      'aborted streams': () => this.abortedStreams(),
      'revoked keys': () => this.revokedKey(),
      'repeated syncs': () => this.repeatedSyncs(),
      'cancelled jobs': () => this.cancel(),
      ...new HostileRequests(this.around).moves,
    };
    const names = Object.keys(moves);
    while (!signal.aborted) {
      const name = names[Math.floor(this.around.random() * names.length)] as string;
      this.moves.set(name, (this.moves.get(name) ?? 0) + 1);
      await moves[name]?.().catch(() => undefined);
      await delay(this.around.random() * MAX_PAUSE_MS);
    }
  }

  private async syncNew(url: string): Promise<void> {
    const source = await this.around.ledger.register(`hostile ${(this.names += 1)}`, url);
    this.sources.push(source);
    await this.around.ledger.sync(source);
  }

  private async stuckSync(kind: 'slow' | 'silent'): Promise<void> {
    const { ledger, serverUrl, random } = this.around;
    if (this.sources.length < MAX_STUCK)
      return this.syncNew(`${serverUrl}/${kind}/${this.names}.git`);
    await ledger.sync(this.sources[Math.floor(random() * this.sources.length)] as string);
  }

  /** Two names that differ in a byte that is not UTF-8 alone, and both change. */
  private async oddNames(): Promise<void> {
    for (const name of ['caf\xe9.md', 'caf\xe8.md']) {
      writeFileSync(
        Buffer.from(join(this.odd.path, name), 'latin1'),
        `${name} ${this.around.random()}`,
      );
    }
    this.odd.commit({});
    const { ledger } = this.around;
    const known =
      ledger.sources.get('odd names') ?? (await ledger.register('odd names', this.odd.url));
    await ledger.sync(known);
  }

  /** Leaves job streams before, and just after, they were answered. */
  private async abortedStreams(): Promise<void> {
    const { ledger, serviceUrl, random } = this.around;
    const job = [...ledger.jobs].at(-1);
    if (job === undefined) return;
    const leave = async (): Promise<void> => {
      const signal = AbortSignal.timeout(1 + Math.floor(random() * 60));
      await ledger.client.stream(`${serviceUrl}/jobs/${job}/stream`, signal).catch(() => undefined);
    };
    await Promise.all(Array.from({ length: STREAMS }, leave));
  }

  private async revokedKey(): Promise<void> {
    const { ledger, serviceUrl, wasInterrupted } = this.around;
    const body = { name: 'to be revoked' };
    const { id, key } = await ledger.client.expect<{ id: string; key: string }>(
      'POST',
      '/keys',
      body,
    );
    const revoked = new ApiClient(serviceUrl, key);
    await revoked.expect('GET', '/sources');
    const from = performance.now();
    await ledger.client.expect('DELETE', `/keys/${id}`);
    await delay(REVOKED_WITHIN_MS);
    const { status } = await revoked.call('GET', '/sources');
    if (status !== 401 && !wasInterrupted(from, performance.now()))
      this.broken.push(`a revoked key got ${status}`);
  }

  private async repeatedSyncs(): Promise<void> {
    const { ledger, random } = this.around;
    const source = this.sources[Math.floor(random() * this.sources.length)];
    if (source !== undefined)
      await Promise.allSettled(Array.from({ length: 10 }, () => ledger.sync(source)));
  }

  private async cancel(): Promise<void> {
    const { ledger } = this.around;
    const job = [...ledger.jobs].at(-1);
    if (job !== undefined) await ledger.client.call('POST', `/jobs/${job}/cancel`);
  }
}

/** A few kilobytes of git objects that list a million paths. */
function treeBomb(path: string): TestRepository {
  const repository = TestRepository.create(path, { 'a.txt': 'a' });
  const git = (words: readonly string[], input: string): string =>
    execFileSync('git', ['-C', path, ...words], { input })
      .toString()
      .trim();
  let line = `100644 blob ${git(['hash-object', '-w', '--stdin'], 'boom')}`;
  for (let level = 0; level < 3; level += 1) {
    const entries = Array.from(
      { length: BOMB_WIDTH },
      (_, at) => `${line}\t${String(at).padStart(3, '0')}.txt\0`,
    );
    line = `040000 tree ${git(['mktree', '-z'], entries.join(''))}`;
  }
  const commit = repository.git('commit-tree', line.split(' ')[2] as string, '-m', 'bomb').trim();
  repository.git('reset', '--soft', commit);
  return repository;
}
