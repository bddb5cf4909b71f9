import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { type OpenedWitness, openWitness } from '#apps/witness/open-witness';
import { serveWitness, type WitnessServer } from '#apps/witness/serve-witness';
import { type NoteKey, noteSigner, parseVerifierKey, signCheckpoint } from '#audit';
import type {
  AuditKeyList,
  CheckpointList,
  CheckpointView,
  TrailVerification,
} from '#contracts/http/index';
import { type RecordedDomainEvent, upcast } from '#event-store';
import { type Clock, type Sealed, silentLogger, systemClock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { midHourClock } from '#test/support/api/mid-hour-clock';
import { readLog } from '#test/support/read-log';
import { tempDir } from '#test/support/temp-dir';
import { cosignedBy, createTransparency, type HeadSigner } from '#transparency';

import { CheckpointDelivery } from './checkpoint-delivery.js';

/** The service with a witness that answers over HTTP. */
describe('a witnessed audit trail', () => {
  const folder = tempDir();
  const logs: NoteKey[] = [];
  let witness: OpenedWitness;
  let server: WitnessServer;
  let api: ApiHarness;
  /** Fails the next record of an answer. */
  let recordFails = false;
  let minutes = 0;
  const clock: Clock = {
    now: () => new Date(),
    monotonic: () => systemClock.monotonic() + minutes * 60_000,
  };

  beforeAll(async () => {
    const options = { directory: folder.path, name: 'witness.example', logs };
    witness = await openWitness({ ...options, clock: systemClock });
    server = await serveWitness({
      witness: witness.witness,
      host: '127.0.0.1',
      port: 0,
      onError: (error) => {
        throw error;
      },
    });
    api = await ApiHarness.start({
      clock: midHourClock(),
      environment: { AUDIT_WITNESSES: `${witness.key} ${server.url}` },
    });
    await keysUsed(api);
  });
  beforeEach(() => {
    recordFails = false;
  });
  afterAll(async () => {
    await api.stop();
    await server.close();
    witness.close();
    folder.remove();
  });

  /** The reactor of a process that starts now: it folds the log and runs once. */
  const deliver = async () => {
    const { signer, keepers } = createTransparency({
      store: api.store,
      readModel: api.readModel,
      keyRing: api.keyRing,
      clock,
      settings: { witnesses: [{ key: witness.key, url: server.url }], copies: undefined },
    });
    const record: HeadSigner['record'] = (...given) =>
      recordFails ? Promise.reject(new Error('the process ended')) : signer.record(...given);
    const reactor = new CheckpointDelivery({
      clock,
      logger: silentLogger,
      keepers,
      signer: { record },
    });
    for (const event of await readLog(api.store)) {
      const read = upcast(event);
      if (read.kind === 'known' && (reactor.eventTypes as readonly string[]).includes(event.type))
        reactor.apply(read.event);
    }
    await reactor.run({ signal: new AbortController().signal });
    return reactor;
  };
  let budget = 3_600;
  const change = async (key = api.keyA) => {
    budget += 1;
    const body = { staleness_budget_seconds: budget };
    expect((await api.call('PUT', '/policy', body, { key })).status).toBe(200);
  };
  const sign = (key = api.keyA) =>
    api.call<CheckpointView>('POST', '/audit/checkpoints', undefined, { key });
  const verify = async (key = api.keyA) =>
    (await api.call<TrailVerification>('GET', '/audit/verify', undefined, { key })).body;
  const publishKey = async (key: string) => {
    const { keys } = (await api.call<AuditKeyList>('GET', '/audit/keys', undefined, { key })).body;
    const parsed = parseVerifierKey(keys[0]?.key ?? '');
    if (parsed) logs.push(parsed);
  };
  const eventsOf = async (type: string): Promise<RecordedDomainEvent[]> =>
    (await readLog(api.store)).filter((event) => event.type === type) as RecordedDomainEvent[];

  it('records nothing while the witness does not know the log, and asks again', async () => {
    await change();
    expect((await sign()).status).toBe(200);
    await deliver();
    expect(await eventsOf('CheckpointCosigned')).toEqual([]);
    expect(await verify()).toMatchObject({ valid: true, witnessed: { cosigned: 0, of: 1 } });
    await publishKey(api.keyA);
    await deliver();
    expect(await eventsOf('CheckpointCosigned')).toHaveLength(1);
    expect(await verify()).toMatchObject({ valid: true, witnessed: { cosigned: 1, of: 1 } });
  });

  it('shows cosignatures in the checkpoints, and signs nothing because of them', async () => {
    const newest = (await sign()).body;
    const key = parseVerifierKey(witness.key);
    expect(key && cosignedBy(newest.checkpoint, [key])).toHaveLength(1);
    const { checkpoints } = (await api.call<CheckpointList>('GET', '/audit/checkpoints')).body;
    expect(checkpoints).toEqual([newest]);
  });

  it('finds the cosignature of a process that ended before it recorded it', async () => {
    await change();
    const { size } = (await sign()).body;
    recordFails = true;
    await deliver();
    expect(await verify()).toMatchObject({ witnessed: { cosigned: 0, of: 1 } });
    recordFails = false;
    await deliver();
    await deliver();
    const cosigned = (await eventsOf('CheckpointCosigned')).filter(
      ({ data }) => (data as { size: number }).size === size,
    );
    expect(cosigned).toHaveLength(1);
    expect(await verify()).toMatchObject({ witnessed: { cosigned: 1, of: 1 } });
  });

  it('signs nothing more after a witness saw a larger tree', async () => {
    await change(api.keyB);
    expect((await sign(api.keyB)).status).toBe(200);
    await publishKey(api.keyB);
    const [created] = (await eventsOf('AuditKeyCreated')).filter(
      ({ metadata }) => metadata.tenant_id === api.tenantB,
    );
    const { origin, key_id, seed } = created?.data as Record<string, string>;
    const place = `checkpoint-${api.tenantB}/${String(key_id)}/seed`;
    const opened = await api.keyRing.open(api.tenantB, place, seed as Sealed);
    const signer = noteSigner(String(origin), 'ed25519', Buffer.from(String(opened), 'base64'));
    const head = { origin: String(origin), size: 1_000, root: Buffer.alloc(32, 7) };
    const body = `old 0\n\n${signCheckpoint(head, [signer])}`;
    expect(await witness.witness.addCheckpoint(body)).toMatchObject({ status: 200 });
    await deliver();
    expect((await eventsOf('CheckpointRefused')).map(({ data }) => data)).toMatchObject([
      { tenant_id: api.tenantB, witness: 'witness.example', reason: 'larger_tree' },
    ]);
    await change(api.keyB);
    expect(await sign(api.keyB)).toMatchObject({
      status: 409,
      body: { code: 'audit_trail_altered' },
    });
    minutes += 2;
    expect((await deliver()).refused).toEqual([api.tenantB]);
    expect(await eventsOf('CheckpointRefused')).toHaveLength(1);
    await change();
    expect((await sign()).status).toBe(200);
  });
});
