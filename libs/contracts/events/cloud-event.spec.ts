import { describe, expect, it } from '@jest/globals';

import { toCloudEvent } from './cloud-event.js';
import type { Position, RecordedEvent } from './stored-event.js';

const recorded: RecordedEvent = {
  id: 'event-1',
  type: 'JobCancelled',
  stream: 'job-1',
  revision: 7n,
  position: '0000000000000000042' as Position,
  recordedAt: new Date('2026-01-02T03:04:06.000Z'),
  data: { job_id: '1', source_id: 's' },
  metadata: {
    tenant_id: 'tenant-a',
    actor: { type: 'user', id: 'ada', name: 'Ada' },
    correlation_id: 'request-1',
    causation_id: 'command-1',
    schema_version: 2,
    occurred_at: '2026-01-02T03:04:05.678Z',
    http: { request_id: 'request-1', ip: '192.0.2.1', method: 'POST', path: '/jobs/1/cancel' },
  },
};

describe('toCloudEvent', () => {
  it('carries identity, place, tenant and data, and nothing of who asked from where', () => {
    expect(toCloudEvent(recorded)).toEqual({
      specversion: '1.0',
      id: 'event-1',
      source: '/footnote',
      type: 'JobCancelled',
      subject: 'job-1',
      time: '2026-01-02T03:04:05.678Z',
      datacontenttype: 'application/json',
      dataschema: 'urn:footnote:event:JobCancelled:2',
      tenantid: 'tenant-a',
      sequence: '0000000000000000042',
      streamrevision: '7',
      schemaversion: 2,
      correlationid: 'request-1',
      causationid: 'command-1',
      data: { job_id: '1', source_id: 's' },
    });
  });

  it('names its attributes as CloudEvents allows: lower-case letters and digits', () => {
    for (const name of Object.keys(toCloudEvent(recorded)))
      expect(name).toMatch(/^[a-z0-9]{1,20}$/);
  });

  it('keeps the digest of an API key inside', () => {
    const data = { key_id: 'k', name: 'ci', digest: 'd'.repeat(64) };
    expect(toCloudEvent({ ...recorded, type: 'ApiKeyIssued', data }).data).toEqual({
      key_id: 'k',
      name: 'ci',
    });
  });
});
