import { describe, expect, it } from '@jest/globals';

import type { Audience } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

import { OwnRepositories, ownRepositoriesReactor } from './own-repositories.js';

const URL = 'https://github.com/Ring/Reader.git';
const ASKED = 'https://github.com/ring/reader';
const COMMIT = 'c'.repeat(40);

/** A log of one source, whose revisions count. */
class Log {
  readonly repositories = new OwnRepositories();
  private revision = -1n;
  private jobs = 0;

  constructor(
    private readonly sourceId: string,
    private readonly tenant = 'tenant',
  ) {}

  apply(type: string, data: object): this {
    const revision = type.startsWith('Source') ? (this.revision += 1n) : 0n;
    const event = { type, revision, metadata: { tenant_id: this.tenant } };
    this.repositories.apply({
      ...event,
      data: { source_id: this.sourceId, ...data },
    } as unknown as RecordedDomainEvent);
    return this;
  }

  registered(
    include_patterns: string[] = [],
    about: { audience?: Audience } = {},
    url = URL,
  ): this {
    return this.apply('SourceRegistered', {
      ...about,
      definition: definition(include_patterns, url),
    });
  }

  updated(include_patterns: string[]): this {
    return this.apply('SourceUpdated', { definition: definition(include_patterns) });
  }

  requested(): this {
    this.jobs += 1;
    const source_revision = Number((this.revision += 1n));
    return this.apply('JobRequested', { job_id: `job-${this.jobs}`, source_revision });
  }

  ended(type = 'JobCompleted', version_ref = COMMIT, url = URL): this {
    const counts = { file_count: 2, chunk_count: 5 };
    const job_id = `job-${this.jobs}`;
    const generation = this.jobs;
    return this.apply(type, { job_id, generation, manifest: 'm', version_ref, url, ...counts });
  }

  at(commit = COMMIT, tenant = 'tenant', url = ASKED) {
    return this.repositories.at(tenant, url, commit);
  }
}

function definition(include_patterns: string[], url = URL, source_type = 'repo') {
  return { source_type, url, include_patterns, exclude_patterns: [] };
}

const live = (generation = 1) => [
  { sourceId: 'own', generation, manifest: 'm', files: 2, chunks: 5 },
];

describe('own repositories', () => {
  it('are found by tenant, commit and any spelling of their address once they are live', () => {
    const log = new Log('own').registered().requested();
    expect(log.at()).toEqual([]);
    log.ended();
    expect(log.at()).toEqual(live());
    expect(log.at(COMMIT, 'tenant', 'git@github.com:ring/READER')).toEqual(live());
    expect(log.at(COMMIT, 'other')).toEqual([]);
    expect(log.at('d'.repeat(40))).toEqual([]);
    expect(log.at(COMMIT, 'tenant', `${ASKED}s`)).toEqual([]);
  });

  it('are not found for another audience, or another type of source', () => {
    const conversation = { kind: 'conversation', conversation_id: 'c' } as const;
    expect(
      new Log('own').registered([], { audience: conversation }).requested().ended().at(),
    ).toEqual([]);
    const docs = new Log('own').apply('SourceRegistered', {
      definition: definition([], URL, 'docs'),
    });
    expect(docs.requested().ended().at()).toEqual([]);
  });

  it('are found only if the sync that published them read the whole repository', () => {
    expect(new Log('own').registered(['src/**']).requested().ended().at()).toEqual([]);
    const widened = new Log('own').registered(['src/**']).requested().ended().updated([]);
    expect(widened.at()).toEqual([]);
    expect(widened.requested().ended().at()).toEqual(live(2));
    expect(widened.updated(['src/**']).at()).toEqual(live(2));
    expect(widened.requested().ended().at()).toEqual([]);
  });

  it('takes the definition that the sync read, also after a change during the sync', () => {
    expect(new Log('own').registered().requested().updated(['src/**']).ended().at()).toEqual(
      live(),
    );
    expect(new Log('own').registered(['src/**']).requested().updated([]).ended().at()).toEqual([]);
  });

  it.each(['JobFailed', 'JobCancelled'])('stay live after %s', (type) => {
    const log = new Log('own').registered().requested().ended().requested();
    expect(log.ended(type).at()).toEqual(live());
  });

  it('are gone once a later commit is live, or the source is removed', () => {
    const log = new Log('own').registered().requested().ended();
    const next = 'd'.repeat(40);
    log.requested().ended('JobCompleted', next);
    expect(log.at()).toEqual([]);
    expect(log.at(next)).toEqual(live(2));
    expect(log.apply('SourceRemoved', {}).at(next)).toEqual([]);
  });

  it('stay as they are if the newest event comes twice', () => {
    const log = new Log('own').registered().requested().ended();
    expect(log.ended().at()).toEqual(live());
  });

  it('are the same after a snapshot, with a sync that is open', () => {
    const log = new Log('own').registered().requested().ended().requested();
    const { state } = ownRepositoriesReactor(log.repositories);
    const lines = JSON.parse(JSON.stringify([...(state?.save() ?? [])])) as unknown[];
    state?.clear();
    expect(log.at()).toEqual([]);
    for (const line of lines) state?.load(line);
    expect(log.at()).toEqual(live());
    expect(log.ended().at()).toEqual(live(2));
  });
});
