import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RecordedEvent } from '#contracts';
import { silentLogger } from '#platform';
import { recordMixedHistory } from '#test/support/mixed-history';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { ProjectorFixture } from '#test/support/projector-fixture';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { TENANT_A, TENANT_B } from '#test/support/sample-events';

import { LiveSourcesFollower } from './live-sources.js';

const EVENTS = 1_200;
const STEP = 40;
const TENANTS = [TENANT_A, TENANT_B];

describe('what is live, and the place in the log that it is the state of', () => {
  let opened: TestReadModel;
  let fixture: ProjectorFixture;
  beforeAll(async () => {
    opened = await openTestReadModel();
    fixture = new ProjectorFixture(opened.readModel);
    recordMixedHistory(fixture.store, EVENTS, 7);
  }, 60_000);
  afterAll(() => opened.close());

  /** What a replay makes of a place is what the follower had there. */
  async function expectSame(follower: LiveSourcesFollower): Promise<number> {
    let seen = 0;
    for (const tenant of TENANTS) {
      const { sources, at } = follower.viewOf(tenant);
      const told = at === null ? [] : await opened.readModel.liveSourcesAt(tenant, at);
      const then = told.map(({ source_id, generation, name, kind, version_ref, synced_at }) => {
        const place = { tenantId: tenant, sourceId: source_id, generation };
        return { ...place, name, kind, versionRef: version_ref, syncedAt: Date.parse(synced_at) };
      });
      const byId = (a: { sourceId: string }, b: { sourceId: string }) => (a.sourceId < b.sourceId ? -1 : 1);
      expect([...sources].sort(byId)).toEqual(then.sort(byId));
      seen += sources.length;
    }
    return seen;
  }

  /** Waits until the last of these events that concerns the follower is applied. */
  async function reached({ follower }: LiveSourcesFollower, events: readonly RecordedEvent[]): Promise<void> {
    const last = events.findLast(({ type }) => follower.types.includes(type));
    if (last) expect(await follower.waitFor(last.position, 5_000)).toBe(true);
  }

  it('is told again from that place, at any moment of a long history, followed or loaded', async () => {
    const { events } = fixture.store;
    const followed = new MemoryEventStore();
    const follower = new LiveSourcesFollower(followed, opened.readModel, silentLogger);
    const moments: { view: ReturnType<LiveSourcesFollower['viewOf']>; tenant: string }[] = [];
    follower.follower.start();
    for (let from = 0; from < events.length; from += STEP) {
      for (const event of events.slice(from, from + STEP)) followed.put(event);
      await reached(follower, events.slice(0, from + STEP));
      for (const tenant of TENANTS) moments.push({ tenant, view: follower.viewOf(tenant) });
    }
    await follower.follower.stop();

    await fixture.project();
    expect(await expectSame(follower)).toBeGreaterThan(5);
    for (const { tenant, view } of moments) {
      const told = view.at === null ? [] : await opened.readModel.liveSourcesAt(tenant, view.at);
      const names = (rows: readonly { name: string; generation: number }[]) =>
        rows.map(({ name, generation }) => `${name} ${generation}`).sort();
      expect(names(told)).toEqual(names(view.sources));
    }

    const loaded = new LiveSourcesFollower(fixture.store, opened.readModel, silentLogger);
    loaded.follower.start();
    await reached(loaded, events);
    expect(await expectSame(loaded)).toBeGreaterThan(5);
    await loaded.follower.stop();
  }, 60_000);
});
