import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { sleep } from '#platform';
import {
  asProjector,
  getTenant,
  listTenants,
  liveVersion,
  type ProjectionName,
  SCHEMA,
} from '#read-model';
import { ProjectorHarness } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { proposed, TENANT_A } from '#test/support/sample-events';

describe('the projector', () => {
  let opened: TestReadModel;
  let fixture: ProjectorHarness;

  beforeAll(async () => {
    opened = await openTestReadModel();
  });
  beforeEach(async () => {
    await opened.begin();
    fixture = new ProjectorHarness(opened.readModel);
  });
  afterAll(() => opened.close());

  const versionOf = async (name: ProjectionName) =>
    (await asProjector(opened.readModel.dataSource, (manager) => liveVersion(manager, name)))
      ?.version;

  it('stops a projection at an event that it cannot read, says which, and leaves the others running', async () => {
    fixture.given(tenant(TENANT_A));
    const future = proposed(tenant('tenant-b'));
    fixture.store.record('tenant-tenant-b', {
      ...future,
      metadata: { ...future.metadata, schema_version: 99 },
    });
    fixture.given({ type: 'PolicyReset', data: {} });
    const projector = fixture.projector();
    await projector.start();
    await expect(projector.caughtUp()).rejects.toThrow(/TenantCreated version 99/);
    while (projector.health().some(({ state }) => state !== 'live' && state !== 'failed'))
      await sleep(10);
    await opened.readModel.waitFor('policies', (await fixture.store.head())!, 5_000);
    const health = Object.fromEntries(projector.health().map((each) => [each.name, each]));
    expect(health['tenants']).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('version 99') as unknown,
    });
    expect(health['policies']).toMatchObject({ state: 'live', lag: 0 });
    await projector.stop();
  });

  it('takes events together that nobody waits for', async () => {
    fixture.given(tenant(TENANT_A));
    const projector = fixture.projector();
    await projector.start();
    await projector.caughtUp();
    let transactions = 0;
    const stop = opened.readModel.progress.onReport('policies', () => (transactions += 1));
    for (let event = 0; event < 100; event += 1) {
      fixture.given({ type: 'PolicyReset', data: {} });
      await sleep(15);
    }
    stop();
    const reached = await opened.readModel.waitFor(
      'policies',
      (await fixture.store.head())!,
      5_000,
    );
    await projector.stop();
    expect(reached).toBe(true);
    expect(transactions).toBeGreaterThan(20);
    expect(transactions).toBeLessThan(60);
  });

  it('rebuilds rows that the log does not back because an older log was restored', async () => {
    fixture.given(tenant(TENANT_A), tenant('tenant-b'));
    await fixture.project();
    fixture.store.events.pop();
    await fixture.project();
    expect((await opened.readModel.asOf('tenants', listTenants)).rows.map(({ id }) => id)).toEqual([
      TENANT_A,
    ]);
  });

  it('rebuilds rows that code of another understanding made', async () => {
    fixture.given(tenant(TENANT_A));
    await fixture.project();
    await asProjector(opened.readModel.dataSource, async (manager) => {
      await manager.query(
        `update ${SCHEMA}.projection_versions set definition = 'older' where name = 'tenants'`,
      );
      await manager.query(`update ${SCHEMA}.tenants_v1 set name = 'as older code had it'`);
    });
    await fixture.project();
    expect(await opened.readModel.ask(getTenant, TENANT_A)).toMatchObject({ name: TENANT_A });
  });

  it('rebuilds rows once when an earlier way of reading the log may have left events out', async () => {
    fixture.given(tenant(TENANT_A));
    await fixture.project();
    await opened.readModel.dataSource.query(`delete from ${SCHEMA}.tenants_v1`);
    fixture.store.deliveryVersion = 2;
    await fixture.project();
    expect(await opened.readModel.ask(getTenant, TENANT_A)).toMatchObject({ id: TENANT_A });
    expect(await versionOf('tenants')).toBe(2);
    await fixture.project();
    expect(await versionOf('tenants')).toBe(2);
  });

  it.each([
    ['reads again from what is stored', [], 1],
    ['rebuilds the rows where the checkpoint is past it', [{ kind: 'caught-up' } as const], 2],
  ])('that gets a position before the event at it: %s', async (_, first, version) => {
    const [recorded] = fixture.given(tenant(TENANT_A));
    const { position } = recorded!;
    const { store } = fixture;
    const subscribe = store.subscribe.bind(store);
    let lied = false;
    store.subscribe = async function* (options) {
      if (!lied && options.filter?.types?.includes('TenantCreated')) {
        lied = true;
        yield { kind: 'checkpoint', position };
        yield* first;
        if (first.length > 0) await opened.readModel.waitFor('tenants', position, 5_000);
        yield { kind: 'event', event: recorded! };
      }
      yield* subscribe(options);
    };
    const projector = fixture.projector();
    await projector.start();
    await expectSoon(async () => (await opened.readModel.ask(getTenant, TENANT_A)) !== null);
    const outOfOrder = projector.health().find(({ name }) => name === 'tenants')?.outOfOrder;
    await projector.stop();
    expect([lied, outOfOrder, await versionOf('tenants')]).toEqual([true, 1, version]);
  });

  it('wakes callers that wait for their own write, and reports a wait that takes too long', async () => {
    const projector = fixture.projector();
    await projector.start();
    const [recorded] = fixture.given(tenant(TENANT_A));
    expect(await opened.readModel.waitFor('tenants', recorded!.position, 5_000)).toBe(true);
    expect(await opened.readModel.ask(getTenant, TENANT_A)).toMatchObject({ id: TENANT_A });
    expect(await opened.readModel.waitFor('jobs', '9'.repeat(20) as never, 30)).toBe(false);
    await projector.stop();
    expect(await opened.readModel.waitFor('tenants', recorded!.position, 1_000)).toBe(true);
  });

  it('rolls the rows back with the checkpoint when a batch fails in the middle', async () => {
    fixture.given(tenant(TENANT_A));
    await fixture.project();
    await opened.readModel.dataSource.query(`
      create function ${SCHEMA}.refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refuse before insert on ${SCHEMA}.tenants_v1 for each row execute function ${SCHEMA}.refuse()`);
    const before = await opened.readModel.positionOf('tenants');
    fixture.given(tenant('tenant-b'));
    const projector = fixture.projector();
    await projector.start();
    await expectSoon(
      () => projector.health().find(({ name }) => name === 'tenants')?.state === 'retrying',
    );
    expect(await opened.readModel.positionOf('tenants')).toBe(before);
    await opened.readModel.dataSource.query(`drop trigger refuse on ${SCHEMA}.tenants_v1`);
    await projector.caughtUp();
    expect((await opened.readModel.asOf('tenants', listTenants)).rows).toHaveLength(2);
    await projector.stop();
  });
});

function tenant(tenant_id: string) {
  const data = { tenant_id, name: tenant_id };
  return { type: 'TenantCreated' as const, data, by: { tenant_id } };
}

async function expectSoon(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come true within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
