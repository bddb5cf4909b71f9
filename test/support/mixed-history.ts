import {
  type Audience,
  type DomainEvent,
  type SourceDefinition,
  statedAudience,
  TENANT_AUDIENCE,
} from '#contracts';
import { seeded } from '#platform';

import { at, type MemoryEventStore } from './memory-event-store.js';
import { proposed } from './sample-events.js';

const definition: SourceDefinition = {
  source_type: 'repo',
  url: 'https://example.org/a.git',
  branch: 'main',
  include_patterns: [],
  exclude_patterns: ['vendor/**'],
};

/** Most sources are for their tenant, every fourth for one conversation. */
const AUDIENCES: readonly Audience[] = [
  TENANT_AUDIENCE,
  TENANT_AUDIENCE,
  TENANT_AUDIENCE,
  { kind: 'conversation', conversation_id: 'c1' },
];

/** Tenant that is erased in the middle of the history, where one is asked for. */
export const ERASED_TENANT = 'tenant-c';
const ERASED_AFTER = 100;

/**
 * Records plausible histories of sources and their jobs, mixed, of two tenants and maybe an erased
 * third: the same for the same seed.
 */
export function recordMixedHistory(
  store: MemoryEventStore,
  length: number,
  seed = 1,
  withErased = false,
): void {
  const random = seeded(seed);
  const revisions = new Map<string, bigint>();
  const record = (tenant_id: string, stream: `${string}-${string}`, event: DomainEvent) => {
    const index = store.events.length;
    const occurred_at = new Date(Date.UTC(2026, 0, 1) + index * 137).toISOString();
    const revision = (revisions.get(stream) ?? -1n) + 1n;
    revisions.set(stream, revision);
    const metadata = { tenant_id, occurred_at };
    store.put({
      ...proposed(event, metadata),
      stream,
      revision,
      position: at(index),
      recordedAt: new Date(occurred_at),
    });
  };
  const lives = ['tenant-a', 'tenant-b'].map((tenant) => tenantLife(tenant, random));
  if (withErased) lives.push(erasedLife(ERASED_TENANT, random));
  while (store.events.length < length) {
    const life = lives[Math.floor(random() * lives.length)]?.next();
    if (life && !life.done) record(...life.value);
  }
}

type Step = [tenant: string, stream: `${string}-${string}`, event: DomainEvent];

function* tenantLife(tenant: string, random: () => number): Generator<Step> {
  yield [
    tenant,
    `tenant-${tenant}`,
    { type: 'TenantCreated', data: { tenant_id: tenant, name: tenant } },
  ];
  for (let serial = 0; ; serial += 1) {
    const source_id = `${tenant}-s${serial}`;
    yield* otherLife(tenant, serial, random);
    yield* packageLife(tenant, serial, random);
    yield* sourceLife(
      tenant,
      source_id,
      AUDIENCES[serial % AUDIENCES.length] ?? TENANT_AUDIENCE,
      random,
    );
  }
}

function* erasedLife(tenant_id: string, random: () => number): Generator<Step> {
  const stream = `tenant-${tenant_id}` as const;
  let lived = 0;
  for (const step of tenantLife(tenant_id, random)) {
    // What other processes append that do not know yet comes between the two.
    if (lived === ERASED_AFTER) {
      yield [
        tenant_id,
        stream,
        { type: 'TenantErasureRequested', data: { tenant_id, reason: 'owner_request' } },
      ];
    }
    if (lived === 2 * ERASED_AFTER) break;
    lived += 1;
    yield step;
  }
  const counts = { sources: 1, jobs: 0, people: 0, generations: 1, blobs: 1, blob_bytes: 1 };
  yield [tenant_id, stream, { type: 'TenantErased', data: { tenant_id, ...counts } }];
}

function* otherLife(tenant: string, serial: number, random: () => number): Generator<Step> {
  const key_id = `${tenant}-k${serial}`;
  const data = { key_id, name: `key ${serial}`, prefix: 'fnt_abc', digest: 'd'.repeat(64) };
  yield [
    tenant,
    `apikey-${key_id}`,
    { type: 'ApiKeyIssued', data: { ...data, scopes: ['read'], expires_at: null } },
  ];
  if (random() < 0.3)
    yield [tenant, `apikey-${key_id}`, { type: 'ApiKeyRevoked', data: { key_id } }];
  const min_evidence_count = Math.floor(random() * 10);
  if (random() < 0.4)
    yield [
      tenant,
      `policy-${tenant}`,
      { type: 'PolicyUpdated', data: { changes: { min_evidence_count } } },
    ];
  if (random() < 0.1) yield [tenant, `policy-${tenant}`, { type: 'PolicyReset', data: {} }];
  yield* personLife(tenant, serial, random);
}

function* personLife(tenant: string, serial: number, random: () => number): Generator<Step> {
  const [user_id, invitation_id] = [`${tenant}-u${serial}`, `${tenant}-i${serial}`];
  const [user, members, invitation] = [
    `user-${user_id}`,
    `members-${tenant}`,
    `invitation-${invitation_id}`,
  ] as const;
  const issued = {
    invitation_id,
    role: 'member' as const,
    digest: 'd'.repeat(64),
    address: null,
    fingerprint: null,
  };
  const expires_at = '2026-02-01T00:00:00.000Z';
  yield [tenant, invitation, { type: 'InvitationIssued', data: { ...issued, expires_at } }];
  if (random() < 0.2) {
    yield [tenant, invitation, { type: 'InvitationRevoked', data: { invitation_id } }];
    return;
  }
  yield [tenant, invitation, { type: 'InvitationAccepted', data: { invitation_id, user_id } }];
  const sealed = { address: 'sealed', display_name: null, password: 'sealed' };
  const person = {
    user_id,
    tenant_id: tenant,
    fingerprints: ['f'.repeat(64)],
    ...sealed,
    role: 'member' as const,
  };
  yield [tenant, user, { type: 'UserRegistered', data: person }];
  yield [tenant, members, { type: 'MemberJoined', data: { user_id, role: 'member' } }];
  for (let session = 0; random() < 0.5; session += 1) {
    const session_id = `${user_id}-s${session}`;
    const data = { session_id, user_id, ends_at: '2026-01-01T00:10:00.000Z' };
    yield [tenant, `session-${session_id}`, { type: 'SessionEnded', data }];
  }
  if (random() < 0.3)
    yield [tenant, user, { type: 'UserRenamed', data: { user_id, display_name: 'sealed' } }];
  if (random() < 0.3)
    yield [tenant, user, { type: 'UserSessionsRevoked', data: { user_id, session_epoch: 2 } }];
  if (random() < 0.3)
    yield [tenant, members, { type: 'MemberRoleChanged', data: { user_id, role: 'auditor' } }];
  yield* conversationLife(tenant, user_id, random);
  yield* roverLife(tenant, user_id, random);
  if (random() > 0.2) return;
  yield [tenant, members, { type: 'MemberRemoved', data: { user_id } }];
  yield [tenant, user, { type: 'UserClosed', data: { user_id } }];
}

/** A package of a registry of the tenant's own, and the tenant's links to it. */
function* packageLife(tenant: string, serial: number, random: () => number): Generator<Step> {
  const package_id = `${tenant}-p${serial}`;
  const link_id = `${package_id}-l`;
  const release = { ecosystem: 'npm', name: `package-${serial}`, version: '1.0.0' };
  const about = { description: 'About it', homepage: null, license: 'MIT', notices: [] };
  const [stream, links] = [`package-${package_id}`, `packagelink-${link_id}`] as const;
  const source_id = `${package_id}-s1`;
  yield [
    tenant,
    stream,
    { type: 'PackageRegistered', data: { package_id, source_id, ...release, ...about } },
  ];
  for (let episode = 1; random() < 0.6; episode += 1) {
    const linked = { link_id, package_id, owner_tenant_id: tenant, episode, ...release };
    yield [tenant, links, { type: 'PackageLinked', data: linked }];
    const notices = [`Deprecated ${episode}`];
    if (random() < 0.3)
      yield [tenant, stream, { type: 'PackageDescribed', data: { package_id, ...about, notices } }];
    if (random() < 0.3) return;
    yield [tenant, links, { type: 'PackageUnlinked', data: { link_id, package_id, episode } }];
  }
  if (random() < 0.5) return;
  yield [
    tenant,
    stream,
    { type: 'PackageDropped', data: { package_id, source_id, reason: 'unused' } },
  ];
  if (random() < 0.5) return;
  yield [
    tenant,
    stream,
    { type: 'PackageRestored', data: { package_id, source_id: `${package_id}-s2` } },
  ];
}

/** A research job that fails or stays open. */
function* roverLife(tenant: string, user_id: string, random: () => number): Generator<Step> {
  const rover_job_id = `${user_id}-r`;
  const at = '2026-05-01T12:00:00.000Z';
  const budget = {
    seconds: 60,
    rounds: 1,
    repositories: 3,
    searches: 12,
    model_calls: 2,
    prompt_tokens: 9,
  };
  const request = { question: ['sealed'], mode: 'fast' as const, repos: [], budget };
  const stream = `rover-${rover_job_id}` as const;
  yield [
    tenant,
    stream,
    { type: 'RoverJobRequested', data: { rover_job_id, ...request, requested_at: at } },
  ];
  if (random() < 0.5) return;
  const failure = { rover_job_id, error_message: 'No repository could be read', failed_at: at };
  yield [tenant, stream, { type: 'RoverJobFailed', data: failure }];
}

function* conversationLife(tenant: string, user_id: string, random: () => number): Generator<Step> {
  const conversation_id = `${user_id}-c`;
  const stream = `conversation-${conversation_id}` as const;
  const started = { conversation_id, user_id, key: 'sealed', title: null };
  yield [tenant, stream, { type: 'ConversationStarted', data: started }];
  for (let turn = 1; random() < 0.6; turn += 1) {
    const data = {
      conversation_id,
      turn,
      receipt_id: `${conversation_id}-r${turn}`,
      text: 'sealed',
      text_parts: 0,
    };
    yield [tenant, stream, { type: 'TurnAdded', data }];
  }
  if (random() < 0.5)
    yield [
      tenant,
      stream,
      { type: 'ConversationRenamed', data: { conversation_id, title: 'sealed' } },
    ];
  if (random() > 0.2) return;
  yield [
    tenant,
    stream,
    { type: 'ConversationDeleted', data: { conversation_id, document_ids: [] } },
  ];
}

function scipUploaded(source_id: string, digit: string) {
  const numbers = { bytes: 100, generation: 1, documents: 1, occurrences: 2, symbols: 1 };
  const scip = { name: 'default', blob: digit.repeat(64), version_ref: 'v1', ...numbers };
  return { source_id, scip };
}

function* sourceLife(
  tenant: string,
  source_id: string,
  audience: Audience,
  random: () => number,
): Generator<Step> {
  const stream = `source-${source_id}` as const;
  // Those for a whole tenant sync by themselves and take pushes.
  const interval = audience.kind === 'tenant' ? { sync_interval_seconds: 600 } : {};
  const data = { source_id, name: source_id, definition, ...statedAudience(audience), ...interval };
  yield [tenant, stream, { type: 'SourceRegistered', data }];
  if (audience.kind === 'tenant') {
    yield [
      tenant,
      stream,
      { type: 'SourceHookSet', data: { source_id, hook_id: `${source_id}-h`, secret: 'sealed' } },
    ];
    for (const blob of ['1', '2', '3'])
      yield [tenant, stream, { type: 'SourceScipUploaded', data: scipUploaded(source_id, blob) }];
    if (random() < 0.3) {
      const data = { source_id, names: ['default'] };
      yield [tenant, stream, { type: 'SourceScipRemoved', data }];
    }
  }
  for (let generation = 1; random() < 0.75; generation += 1) {
    if (random() < 0.2)
      yield [tenant, stream, { type: 'SourceUpdated', data: { source_id, name: `${source_id}!` } }];
    const job_id = `${source_id}-j${generation}`;
    yield [tenant, stream, { type: 'SourceSyncRequested', data: { source_id, job_id } }];
    yield* jobLife(tenant, { job_id, source_id, generation, ...statedAudience(audience) }, random);
    if (random() < 0.3) {
      const drop = { source_id, generation, reason: 'superseded' as const };
      yield [tenant, `generation-${source_id}`, { type: 'GenerationDropped', data: drop }];
    }
  }
  if (random() < 0.3) yield [tenant, stream, { type: 'SourceRemoved', data: { source_id } }];
}

interface JobIds {
  readonly job_id: string;
  readonly source_id: string;
  readonly generation: number;
  readonly audience?: Audience;
}

function* jobLife(tenant: string, terms: JobIds, random: () => number): Generator<Step, void> {
  const { job_id, source_id, generation } = terms;
  const ids = { job_id, source_id, generation };
  const say = (event: DomainEvent): Step => [tenant, `job-${job_id}`, event];
  yield say({
    type: 'JobRequested',
    data: { ...terms, url: definition.url, source_revision: 0, base: null, max_retries: 3 },
  });
  let attempt = 1;
  for (const [stage, next] of [
    ['fetch', 'parse'],
    ['parse', 'chunk'],
    ['chunk', 'embed'],
    ['embed', 'index'],
  ] as const) {
    if (random() < 0.04) {
      yield say({ type: 'JobCancelled', data: { job_id, source_id } });
      return;
    }
    yield say({ type: 'JobStageStarted', data: { job_id, stage, attempt, worker: 'w' } });
    const work = { job_id, stage, attempt };
    const stage_details = { files_fetched: Math.floor(random() * 100) };
    for (let times = 0; random() < 0.6 && times < 5; times += 1) {
      const progress = {
        progress_percent: 10 + times,
        progress_message: `step ${times}`,
        stage_details,
      };
      yield say({ type: 'JobProgressed', data: { ...work, ...progress, files_processed: times } });
    }
    if (random() < 0.05)
      yield say({ type: 'JobStageLost', data: { ...work, retry_count: 1, deaths: 1 } });
    if (random() < 0.08) {
      const failure = { error_message: 'away', error_details: null };
      const retry = { retryable: true, retry_count: 1, retry_at: '2026-01-01T00:00:00.000Z' };
      yield say({ type: 'JobStageFailed', data: { ...work, ...failure, ...retry } });
      if (random() < 0.5) {
        yield say({ type: 'JobFailed', data: { job_id, source_id, ...failure } });
        return;
      }
      attempt += 1;
      yield say({ type: 'JobStageStarted', data: { job_id, stage, attempt, worker: 'w' } });
    }
    yield say({
      type: 'JobStageAdvanced',
      data: { ...work, attempt, next, artifact: 'a'.repeat(64), stage_details },
    });
  }
  const chunk_count = Math.floor(random() * 1000);
  const outcome = {
    manifest: manifestHash(source_id, generation),
    version_ref: `v${generation}`,
    file_count: 3,
    chunk_count,
  };
  yield say({
    type: 'JobStaged',
    data: { ...ids, attempt, ...outcome, stage_details: { chunks_indexed: chunk_count } },
  });
  const counters = {
    files_processed: 3,
    chunks_created: chunk_count,
    chunks_updated: 0,
    chunks_deleted: 0,
  };
  yield say({
    type: 'JobCompleted',
    data: { ...ids, ...outcome, url: `https://github.com/acme/v${generation}`, ...counters },
  });
}

/** The name that the manifest blob of a generation goes by here. */
export function manifestHash(source_id: string, generation: number): string {
  return Buffer.from(`${source_id}/${generation}`).toString('hex').padEnd(64, '0').slice(-64);
}
