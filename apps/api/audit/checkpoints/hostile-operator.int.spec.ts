import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type OpenedWitness, openWitness } from '#apps/witness/open-witness';
import {
  auditRecord,
  CompactRange,
  NO_LEAF,
  type NoteKey,
  noteSigner,
  parseVerifierKey,
  signCheckpoint,
} from '#audit';
import type { RecordedEvent } from '#contracts';
import type {
  AuditKeyList,
  CheckpointVerification,
  CheckpointView,
  TrailVerification,
} from '#contracts/http/index';
import type { EventStore } from '#event-store';
import { type Sealed, systemClock } from '#platform';
import { asProjector, auditRecordsTable, liveVersion, versionTable } from '#read-model';
import { ApiHarness } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { midHourClock } from '#test/support/api/mid-hour-clock';
import { readLog } from '#test/support/read-log';
import { tempDir } from '#test/support/temp-dir';
import { createTransparency } from '#transparency';
import { WitnessKeeper } from '#transparency/keepers/witness-keeper';

/** An operator who owns disk and keys: the log that the API reads, and its read models. */
describe('an operator who rewrites the history of a tenant', () => {
  let api: ApiHarness;
  let kept: CheckpointView;
  let witness: OpenedWitness;
  const folder = tempDir();
  /** Keys of the logs that the witness knows. */
  const logs: NoteKey[] = [];
  const forged = new Map<string, RecordedEvent>();

  const rewriting = (log: EventStore): EventStore =>
    new Proxy(log, {
      get(target, name) {
        if (name === 'read') {
          return async function* read(...[stream, options]: Parameters<EventStore['read']>) {
            for await (const event of target.read(stream, options))
              yield forged.get(event.id) ?? event;
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });

  beforeAll(async () => {
    api = await ApiHarness.start({ between: rewriting, clock: midHourClock() });
    await keysUsed(api);
    await api.call('PUT', '/policy', { staleness_budget_seconds: 7_200 });
    kept = (await api.call<CheckpointView>('POST', '/audit/checkpoints')).body;
    await api.call('PUT', '/policy', { staleness_budget_seconds: 3_600 });
    await api.call('POST', '/audit/checkpoints');
    const options = { directory: folder.path, name: 'witness.example', logs };
    witness = await openWitness({ ...options, clock: systemClock });
    const [key] = (await api.call<AuditKeyList>('GET', '/audit/keys')).body.keys;
    logs.push(parseVerifierKey(key?.key ?? '') ?? fail('no key'));
  });
  afterAll(async () => {
    await api.stop();
    witness.close();
    folder.remove();
  });

  /** Hands the newest checkpoint to the witness, as the pipeline does. */
  const askWitness = async () => {
    const parts = createTransparency({
      store: rewriting(api.store),
      readModel: api.readModel,
      keyRing: api.keyRing,
      clock: systemClock,
      settings: { witnesses: [], copies: undefined },
    });
    const keeper = new WitnessKeeper({
      key: parseVerifierKey(witness.key) ?? fail('no key'),
      connection: { post: (_path, body) => witness.witness.addCheckpoint(body) },
      trees: parts.trees,
    });
    const { state } = await parts.states.of(api.tenantA);
    return keeper.keep(state.last ?? fail('no checkpoint'), state);
  };

  const verify = async () => (await api.call<TrailVerification>('GET', '/audit/verify')).body;
  const verifyKept = async () => {
    const { checkpoint } = kept;
    return (await api.call<CheckpointVerification>('POST', '/audit/verify', { checkpoint })).body;
  };

  /** Rewrites the policy, and signs the heads again if `signs`; returns the leaf hashes. */
  const rewrite = async (signs: boolean): Promise<readonly Buffer[]> => {
    const leaves: Buffer[] = [];
    let prevHash = NO_LEAF;
    let seed: Buffer | null = null;
    for (const stored of await readLog(api.store)) {
      if (stored.metadata.tenant_id !== api.tenantA) continue;
      let event = stored;
      const { data } = stored;
      if (stored.type === 'PolicyUpdated')
        event = { ...stored, data: { ...data, changes: { staleness_budget_seconds: 60 } } };
      if (stored.type === 'AuditKeyCreated') {
        const place = `checkpoint-${api.tenantA}/${String(data['key_id'])}/seed`;
        const opened = await api.keyRing.open(api.tenantA, place, data['seed'] as Sealed);
        seed = Buffer.from(opened ?? '', 'base64');
      }
      if (signs && stored.type === 'CheckpointSigned' && seed) {
        const origin = String(data['checkpoint']).split('\n')[0] ?? '';
        const size = Number(data['size']);
        const root = rootOf(leaves.slice(0, size));
        const checkpoint = signCheckpoint({ origin, size, root }, [
          noteSigner(origin, 'ed25519', seed),
        ]);
        event = { ...stored, data: { ...data, root: root.toString('hex'), checkpoint } };
      }
      if (event !== stored) forged.set(event.id, event);
      prevHash = auditRecord(event, { seq: leaves.length, prevHash, changes: [] }).hash;
      leaves.push(Buffer.from(prevHash, 'hex'));
    }
    return leaves;
  };

  /** Rebuilds the projection over the rewritten log. */
  const rebuild = async (leaves: readonly Buffer[]) => {
    await asProjector(api.readModel.dataSource, async (manager) => {
      const live = await liveVersion(manager, 'audit_records');
      const table = versionTable(auditRecordsTable, live?.version ?? 1);
      for (const [seq, leaf] of leaves.entries())
        await manager.query(`update ${table} set hash = $3 where tenant_id = $1 and seq = $2`, [
          api.tenantA,
          seq,
          leaf.toString('base64'),
        ]);
    });
  };

  it('is found by the signed checkpoints if they stay', async () => {
    expect(await verify()).toMatchObject({ valid: true });
    expect(await verifyKept()).toMatchObject({ valid: true });
    expect(await askWitness()).toMatchObject({ type: 'RecordCosignature' });
    await rebuild(await rewrite(false));
    const { first_break } = await verify();
    expect(first_break).toEqual({ seq: kept.size - 1, kind: 'checkpoint' });
    const refused = await api.call('POST', '/audit/checkpoints');
    expect(refused).toMatchObject({ status: 409, body: { code: 'audit_trail_altered' } });
  });

  it('is found by a checkpoint kept outside, even if all heads are signed again', async () => {
    await rebuild(await rewrite(true));
    expect(await verify()).toMatchObject({ valid: true, first_break: null });
    expect(await verifyKept()).toEqual({ valid: false, size: kept.size, kind: 'checkpoint' });
  });

  it('is refused by a witness, even if all heads are signed again', async () => {
    await rebuild(await rewrite(true));
    expect(await askWitness()).toMatchObject({
      type: 'RecordRefusal',
      data: { witness: 'witness.example', reason: 'other_history' },
    });
  });
});

function fail(message: string): never {
  throw new Error(message);
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  const tree = CompactRange.empty();
  for (const leaf of leaves) tree.append(leaf);
  return tree.root();
}
