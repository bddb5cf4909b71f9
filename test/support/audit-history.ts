import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AuditFold, type AuditRecord, auditRecord, NO_LEAF, type StoredEvent } from '#audit';
import { auditedData } from '#audit/leaf/audited-data';
import type { Actor, JsonObject, StreamName } from '#contracts';
import { STREAM_KINDS } from '#domain/streams';

import { PROJECT_ROOT } from './project-root.js';
import { sampleMetadata } from './sample-events.js';

const FIXTURES = join(PROJECT_ROOT, 'test/fixtures/events');
const ACTORS: readonly Actor[] = [
  { type: 'system', id: 'projector' },
  { type: 'api_key', id: 'key-1', name: 'CI' },
  { type: 'user', id: 'user-1' },
  { type: 'operator', id: 'bootstrap' },
];

/** Streams of events that change fields, in turn with the others. */
const CHANGING: readonly (readonly [StreamName, string, (turn: number) => JsonObject])[] = [
  [
    'policy-tenant-a',
    'PolicyUpdated',
    (turn) => ({ changes: { staleness_budget_seconds: 60 + turn } }),
  ],
  [
    'members-tenant-a',
    'MemberJoined',
    (turn) => ({ user_id: `user-${turn % 60}`, role: turn % 2 === 0 ? 'owner' : 'auditor' }),
  ],
  [
    'source-s',
    'SourceRegistered',
    () => ({
      source_id: 's',
      name: 'App',
      definition: {
        source_type: 'repo',
        url: 'https://git.example.org/app.git',
        include_patterns: [],
        exclude_patterns: ['**/*.min.js'],
      },
    }),
  ],
  ['source-s', 'SourceUpdated', (turn) => ({ source_id: 's', name: `App ${turn} ü "quoted"` })],
];

/** Returns stored events of a tenant: every event fixture, mixed with changes of fields. */
export function auditHistory(count: number): readonly StoredEvent[] {
  const fixtures = readdirSync(FIXTURES).toSorted();
  const revisions = new Map<string, bigint>();
  return Array.from({ length: count }, (_, index) => {
    const [stream, type, version, data] =
      index % 2 === 0 ? fixture(fixtures, index / 2) : change((index - 1) / 2);
    const revision = revisions.get(stream) ?? 0n;
    revisions.set(stream, revision + 1n);
    const actor = ACTORS[index % ACTORS.length] ?? { type: 'system', id: 'test' };
    const http = {
      request_id: `request-${index}`,
      ip: '192.0.2.1',
      user_agent: 'curl/8 \\ "agent"',
      method: 'POST',
      path: `/things/${index}`,
    };
    return {
      id: `0190b5e4-7b1d-5000-8000-${index.toString(16).padStart(12, '0')}`,
      type,
      stream,
      revision,
      data,
      recordedAt: new Date(1_767_323_045_678 + index * 1_000),
      metadata: sampleMetadata(type, {
        schema_version: version,
        actor,
        correlation_id: `request-${index}`,
        causation_id: `command-${index}`,
        ...(actor.type === 'system' ? {} : { http }),
      }),
    };
  });
}

/** Returns the records of events, from the first event of the tenant. */
export function auditRecords(events: readonly StoredEvent[]): readonly AuditRecord[] {
  const fold = new AuditFold();
  let prevHash = NO_LEAF;
  return events.map((event, seq) => {
    const { type, stream, data, revision, metadata } = event;
    const changes =
      fold.apply({
        type,
        stream,
        revision: Number(revision),
        schema_version: metadata.schema_version,
        data: auditedData(type, data),
      }) ?? [];
    const record = auditRecord(event, { seq, prevHash, changes, personName: 'Ada' });
    prevHash = record.hash;
    return record;
  });
}

type Sample = readonly [StreamName, string, number, JsonObject];

function fixture(names: readonly string[], turn: number): Sample {
  const name = names[turn % names.length] ?? '';
  const [type = '', version] = name.replace('.json', '').split('.v');
  const data = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as JsonObject;
  const kind = Object.values(STREAM_KINDS).find(({ events }) => Object.hasOwn(events, type));
  return [`${kind?.category ?? 'unknown'}-x`, type, Number(version), data];
}

function change(turn: number): Sample {
  const at = turn < CHANGING.length ? turn : [0, 1, 3][turn % 3];
  const [stream, type, data] = CHANGING[at ?? 0] ?? ['policy-tenant-a', 'PolicyReset', () => ({})];
  return [stream, type, 1, data(turn)];
}
