import { createHash } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';

import { SYSTEM_TENANT } from '#contracts';
import { loadConfig, systemClock } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { tempDir } from '#test/support/temp-dir';

import { recordConfiguration } from './record-configuration.js';

const SECRET = 'a key of the operator that nobody may see';

const digest = (value: string) => createHash('sha256').update(value).digest('hex');

describe('the recorded configuration of a start', () => {
  let store: MemoryEventStore;
  const folder = tempDir();

  beforeEach(() => {
    store = new MemoryEventStore();
  });

  const start = (environment: Record<string, string>, process: 'service' | 'api' = 'service') =>
    recordConfiguration(
      { eventStore: store, clock: systemClock, config: loadConfig(environment, folder.path) },
      process,
    );

  const lastSettings = () =>
    (store.events.at(-1)?.data as { settings: Record<string, string | null> }).settings;

  it('has names and digests of values in effect, and no secret', async () => {
    await start({ PORT: '9090', OPENAI_API_KEY: SECRET });
    const [event] = store.events;
    expect(event).toMatchObject({
      type: 'ServiceConfigured',
      stream: 'configuration-service',
      metadata: { tenant_id: SYSTEM_TENANT, actor: { type: 'system', id: 'service' } },
    });
    const settings = lastSettings();
    expect(settings).toMatchObject({
      PORT: digest('9090'),
      HOST: digest('127.0.0.1'),
      OPENAI_API_KEY: null,
    });
    expect(settings).not.toHaveProperty('PUBLIC_URL');
    const text = JSON.stringify(event?.data);
    for (const hidden of [SECRET, digest(SECRET), '9090"']) expect(text).not.toContain(hidden);
  });

  it('has digests of witnesses and of addresses for copies, and the names of their secrets', async () => {
    const witnesses =
      'witness.example.com+aa8ea5ee+BMtH5Nb3VIkcKL3ecZTLIlqRhP1lFr1vcClY3EImHlTX https://witness.example.com';
    await start({
      AUDIT_WITNESSES: witnesses,
      AUDIT_CHECKPOINT_MINUTES: '15',
      AUDIT_COPIES_ENDPOINT: 'https://s3.example.com',
      AUDIT_COPIES_ACCESS_KEY_ID: 'AKEXAMPLE',
      AUDIT_COPIES_SECRET_ACCESS_KEY: SECRET,
    });
    expect(lastSettings()).toMatchObject({
      AUDIT_WITNESSES: digest(witnesses),
      AUDIT_CHECKPOINT_MINUTES: digest('15'),
      AUDIT_COPIES_ENDPOINT: digest('https://s3.example.com'),
      AUDIT_COPIES_SECRET_ACCESS_KEY: null,
    });
    expect(JSON.stringify(store.events.map(({ data }) => data))).not.toContain(
      'witness.example.com',
    );
    await start({ AUDIT_CHECKPOINT_MINUTES: '15' });
    expect(lastSettings()).not.toHaveProperty('AUDIT_WITNESSES');
    expect(store.events).toHaveLength(2);
  });

  it('is an event only if it differs from that of the last start of the process', async () => {
    await start({ PORT: '9090' });
    await start({ PORT: '9090' });
    expect(store.events).toHaveLength(1);
    await start({ PORT: '9091' });
    await start({ PORT: '9091' }, 'api');
    await start({ PORT: '9091' });
    expect(store.events.map(({ stream }) => stream)).toEqual([
      'configuration-service',
      'configuration-service',
      'configuration-api',
    ]);
  });
});
