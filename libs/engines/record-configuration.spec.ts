import { createHash } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';

import { SYSTEM_TENANT } from '#contracts';
import { loadConfig, systemClock } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { tempDir } from '#test/support/temp-dir';

import { recordConfiguration } from './record-configuration.js';

const SECRET = 'a key of the operator that nobody may see';

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

  it('has names and digests of values in effect, and no secret', async () => {
    await start({ PORT: '9090', OPENAI_API_KEY: SECRET });
    const [event] = store.events;
    expect(event).toMatchObject({
      type: 'ServiceConfigured',
      stream: 'configuration-service',
      metadata: { tenant_id: SYSTEM_TENANT, actor: { type: 'system', id: 'service' } },
    });
    const { settings } = event?.data as { settings: Record<string, string | null> };
    const digest = (value: string) => createHash('sha256').update(value).digest('hex');
    expect(settings).toMatchObject({
      PORT: digest('9090'),
      HOST: digest('127.0.0.1'),
      OPENAI_API_KEY: null,
    });
    expect(settings).not.toHaveProperty('PUBLIC_URL');
    const text = JSON.stringify(event?.data);
    for (const hidden of [SECRET, digest(SECRET), '9090"']) expect(text).not.toContain(hidden);
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
