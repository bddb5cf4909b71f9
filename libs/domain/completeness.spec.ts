import { describe, expect, it } from '@jest/globals';

import { EVENT_DEFINITIONS } from '#contracts';

import { checkDomain } from './completeness.js';
import { defineStream } from './define-stream.js';
import { byCategory, STREAM_KINDS } from './streams.js';

const kind = (commands: string[], events: string[]) => ({
  commands: Object.fromEntries(commands.map((type) => [type, true])),
  events: Object.fromEntries(events.map((type) => [type, true])),
});

describe('completeness of the domain', () => {
  it('holds as shipped', () => {
    expect(() =>
      checkDomain({ kinds: STREAM_KINDS, definitions: EVENT_DEFINITIONS }),
    ).not.toThrow();
  });

  it('finds every kind of stream by the first word of its pattern', () => {
    expect(
      Object.entries(STREAM_KINDS).map(([category, { pattern }]) => [category, pattern]),
    ).toEqual([
      ['address', 'address-<fingerprint>'],
      ['answer', 'answer-<answer_id>'],
      ['apikey', 'apikey-<key_id>'],
      ['checkpoint', 'checkpoint-<tenant_id>'],
      ['configuration', 'configuration-<process>'],
      ['conversation', 'conversation-<conversation_id>'],
      ['fingerprint', 'fingerprint-key'],
      ['generation', 'generation-<source_id>'],
      ['idempotency', 'idempotency-<idempotency_id>'],
      ['invitation', 'invitation-<invitation_id>'],
      ['job', 'job-<job_id>'],
      ['log', 'log-identity'],
      ['members', 'members-<tenant_id>'],
      ['operator', 'operator-<run_id>'],
      ['packagelink', 'packagelink-<link_id>'],
      ['package', 'package-<package_id>'],
      ['policy', 'policy-<tenant_id>'],
      ['quota', 'quota-<tenant_id>-<metric>'],
      ['read', 'read-<read_id>'],
      ['refusals', 'refusals-<minute_id>'],
      ['rover', 'rover-<rover_job_id>'],
      ['session', 'session-<session_id>'],
      ['source', 'source-<source_id>'],
      ['tenant', 'tenant-<tenant_id>'],
      ['trailexport', 'trailexport-<export_id>'],
      ['user', 'user-<user_id>'],
      ['webhookdeliveries', 'webhookdeliveries-<webhook_id>'],
      ['webhooks', 'webhooks-<tenant_id>'],
    ]);
  });

  it('rejects two kinds of one category and names both', () => {
    const decider = { initial: null, decide: () => [], evolve: () => null };
    const twin = (pattern: `a-<${string}>`) =>
      defineStream({ pattern, decider, commands: {}, events: {} });
    expect(() => byCategory([twin('a-<id>'), twin('a-<name>')])).toThrow(
      'Streams a-<id> and a-<name> have the same category',
    );
  });

  it.each([
    [
      'an event without a schema',
      { a: kind(['Do'], ['Done']) },
      [],
      'Event Done of stream kind a has no schema',
    ],
    [
      'an event without a stream',
      { a: kind(['Do'], []) },
      ['Done'],
      'Event Done belongs to no stream kind',
    ],
    [
      'two schemas of a type',
      { a: kind([], ['Done']) },
      ['Done', 'Done'],
      'Event Done is declared twice',
    ],
    [
      'two kinds for a command',
      { a: kind(['Do'], []), b: kind(['Do'], []) },
      [],
      'Command Do is declared twice',
    ],
  ])('rejects %s and names it', (_, kinds, types, complaint) => {
    const definitions = types.map((type) => ({ type }));
    expect(() => checkDomain({ kinds, definitions })).toThrow(complaint);
  });
});
