import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RecordedEvent } from '#contracts';
import { loadConfig, silentLogger, systemClock } from '#platform';
import { liveSourcesAt } from '#read-model';
import { repositoryPages } from '#search';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { recordMixedHistory } from '#test/support/mixed-history';
import { ProjectorHarness } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { TENANT_A, TENANT_B } from '#test/support/sample-events';

import { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { LiveSources } from './live-sources.js';

const EVENTS = 1_200;
const STEP = 40;
const TENANTS = [TENANT_A, TENANT_B];
const CONFIG = loadConfig({}, '/');

describe('what is live, and the place in the log that it is the state of', () => {
  let opened: TestReadModel;
  let fixture: ProjectorHarness;
  beforeAll(async () => {
    opened = await openTestReadModel();
    fixture = new ProjectorHarness(opened.readModel);
    recordMixedHistory(fixture.store, EVENTS, 7);
  }, 60_000);
  afterAll(() => opened.close());

  /** A replay of a position returns the state that the projection had there. */
  async function expectSame(live: LiveSources): Promise<number> {
    let seen = 0;
    for (const tenant of TENANTS) {
      const { sources, at } = live.of(tenant);
      const reported = at === null ? [] : await opened.readModel.ask(liveSourcesAt, tenant, at);
      const then = reported.map(
        ({ source_id, generation, name, audience, kind, version_ref, url, synced_at }) => {
          const place = { tenantId: tenant, sourceId: source_id, generation };
          const pages = repositoryPages(url, CONFIG.git.hostKinds);
          return {
            ...place,
            name,
            audience,
            kind,
            versionRef: version_ref,
            pages,
            syncedAt: Date.parse(synced_at),
          };
        },
      );
      const byId = (a: { sourceId: string }, b: { sourceId: string }) =>
        a.sourceId < b.sourceId ? -1 : 1;
      expect([...sources].sort(byId)).toEqual(then.sort(byId));
      seen += sources.length;
    }
    return seen;
  }

  /** Waits until the last of these events that concerns the projection is applied. */
  async function reached(
    { projection }: LiveSources,
    events: readonly RecordedEvent[],
  ): Promise<void> {
    const last = events.findLast(({ type }) => projection.types.includes(type));
    if (last) expect(await projection.waitFor(last.position, 5_000)).toBe(true);
  }

  it('are the same as read from the log at any moment of a long history, followed or loaded', async () => {
    const { events } = fixture.store;
    const followed = new MemoryEventStore();
    const live = new LiveSources(
      new InMemoryProjections(followed, silentLogger, systemClock, opened.readModel),
      followed,
      CONFIG,
    );
    const moments: { view: ReturnType<LiveSources['of']>; tenant: string }[] = [];
    live.projection.start();
    for (let from = 0; from < events.length; from += STEP) {
      for (const event of events.slice(from, from + STEP)) followed.put(event);
      await reached(live, events.slice(0, from + STEP));
      for (const tenant of TENANTS) moments.push({ tenant, view: live.of(tenant) });
    }
    await live.projection.stop();

    await fixture.project();
    expect(await expectSame(live)).toBeGreaterThan(5);
    for (const { tenant, view } of moments) {
      const reported =
        view.at === null ? [] : await opened.readModel.ask(liveSourcesAt, tenant, view.at);
      const names = (rows: readonly { name: string; generation: number }[]) =>
        rows.map(({ name, generation }) => `${name} ${generation}`).sort();
      expect(names(reported)).toEqual(names(view.sources));
    }

    const loaded = new LiveSources(
      new InMemoryProjections(fixture.store, silentLogger, systemClock, opened.readModel),
      fixture.store,
      CONFIG,
    );
    loaded.projection.start();
    await reached(loaded, events);
    expect(await expectSame(loaded)).toBeGreaterThan(5);
    await loaded.projection.stop();
  }, 60_000);
});
