import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type AuditRecord, parseVerifierKey, verifyCheckpoint, verifyExport } from '#audit';
import { verifyInclusion } from '#audit/tree/verify-proof';
import type { SearchResponse } from '#contracts';
import type {
  AuditEventList,
  AuditKeyList,
  AuditProofView,
  CheckpointView,
  ReceiptView,
} from '#contracts/http/index';
import { type Clock, newApiKeySecret, silentLogger } from '#platform';
import { type ApiAnswer, ApiHarness } from '#test/support/api/api-harness';
import { publish, uniqueWord } from '#test/support/api/publish';
import { operatorRun } from '#test/support/operator-run';
import { tempDir } from '#test/support/temp-dir';

import { exportTrail } from './export-trail-operation.js';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
/** The first day of the month, in the past of the log's own clock. */
const FIRST = Date.now() - 40 * DAY_MS;

/** Evidence that the auditor keeps on another system. */
interface Kept {
  readonly checkpoint: string;
  readonly keys: readonly string[];
  readonly proof: AuditProofView;
}

describe("the auditor's journey through a month", () => {
  const folder = tempDir();
  const word = uniqueWord();
  let day = 0;
  const clock: Clock = {
    now: () => new Date(FIRST + day * DAY_MS),
    monotonic: () => performance.now(),
  };
  let api: ApiHarness;
  let lowering: string;
  let answer: ApiAnswer<SearchResponse>;
  let record: AuditRecord;
  let kept: Kept;

  beforeAll(async () => {
    api = await ApiHarness.start({ clock });
    const budget = (days: number, key: string) =>
      api.call('PUT', '/policy', { staleness_budget_seconds: days * DAY_SECONDS }, { key });
    for (const tenant of [api.tenantA, api.tenantB])
      await publish(api, [{ path: 'a.ts', content: `export const ${word} = 1;` }], {
        tenant,
        name: 'Worker',
        syncedAt: clock.now(),
      });
    day = 1;
    await budget(60, api.keyA);
    await budget(90, api.keyB);
    day = 10;
    const { secret } = newApiKeySecret();
    lowering = await api.issueKey(api.tenantA, secret, ['read', 'write']);
    await budget(7, secret);
    day = 15;
    answer = await api.call<SearchResponse>('POST', '/search', { query: word });
    day = 20;
    await budget(60, api.keyA);
    day = 30;
  });
  afterAll(async () => {
    await api.stop();
    folder.remove();
  });

  it('finds who lowered the staleness budget, when and from where', async () => {
    const { body } = await api.call<AuditEventList>('GET', '/audit/events?action=policy.updated');
    expect(body.events).toHaveLength(3);
    const lowered = body.events.filter(({ changes: [change] }) => {
      return Number(change?.after) < Number(change?.before);
    });
    expect(lowered).toMatchObject([
      {
        actor: { type: 'api_key', id: lowering, name: 'test' },
        occurred_at: new Date(FIRST + 10 * DAY_MS).toISOString(),
        changes: [
          {
            field: 'staleness_budget_seconds',
            before: 60 * DAY_SECONDS,
            after: 7 * DAY_SECONDS,
          },
        ],
        context: { method: 'PUT', path: '/policy' },
      },
    ]);
    record = lowered[0] as AuditRecord;
  });

  it('learns what a search answered then, under which policy, and repeats it', async () => {
    expect(answer.body.results).toMatchObject([{ is_stale: true }]);
    const id = String(answer.headers['x-receipt-id']);
    const { body } = await api.call<ReceiptView>('GET', `/receipts/${id}`);
    expect(body).toMatchObject({
      created_at: new Date(FIRST + 15 * DAY_MS).toISOString(),
      query: word,
      policy: { staleness_budget_seconds: 7 * DAY_SECONDS },
      live_generations: [{ source_name: 'Worker', kept: true }],
    });
    const again = await api.call<SearchResponse>('POST', `/receipts/${id}/replay`);
    expect(again.headers['x-replay-matches']).toBe('true');
    expect(again.body.results).toEqual(answer.body.results);
    const present = await api.call<SearchResponse>('POST', '/search', { query: word });
    expect(present.body.results).toMatchObject([{ is_stale: false }]);
    const foreign = await api.call('GET', `/receipts/${id}`, undefined, { key: api.keyB });
    expect(foreign.status).toBe(404);
  });

  it('keeps a signed checkpoint and the proof of the record elsewhere', async () => {
    const { body: signed } = await api.call<CheckpointView>('POST', '/audit/checkpoints');
    const { body: list } = await api.call<AuditKeyList>('GET', '/audit/keys');
    const path = `/audit/proof?seq=${record.seq}&size=${signed.size}`;
    const { body: proof } = await api.call<AuditProofView>('GET', path);
    kept = { checkpoint: signed.checkpoint, keys: list.keys.map(({ key }) => key), proof };
    expect(isProven(record.hash)).toBe(true);
    expect(isProven(record.prev_hash)).toBe(false);
  });

  it('proves the same record after the tenant was erased, from the log alone', async () => {
    const erased = await api.call('DELETE', '/tenant', { confirm: api.tenantA });
    expect(erased.status).toBe(202);
    await api.keyRing.destroy(api.tenantA);
    expect((await api.call('GET', '/audit/events')).status).toBe(401);
    const file = join(folder.path, 'erased.ndjson');
    const stores = { eventStore: api.store, clock, logger: silentLogger };
    await exportTrail(stores, api.tenantA, file, operatorRun('export-trail'));
    const text = readFileSync(file, 'utf8');
    const terms = { keys: keysOf(), checkpoints: [kept.checkpoint] };
    expect(await verifyExport([Buffer.from(text)], terms)).toMatchObject({
      valid: true,
      checkpoint: 'signed',
      unchecked_changes: 0,
    });
    const found = JSON.parse(text.split('\n')[record.seq] ?? '') as AuditRecord;
    expect(found).toEqual(record);
    expect(isProven(found.hash)).toBe(true);
    // Sealed text stays in the log as ciphertext, which nobody can open.
    expect(text).not.toContain(word);
    // What the operator alters fails the checkpoint that the auditor kept.
    const forged = text.replace(`"before":${60 * DAY_SECONDS}`, `"before":${7 * DAY_SECONDS}`);
    expect(forged).not.toBe(text);
    expect((await verifyExport([Buffer.from(forged)], terms)).valid).toBe(false);
  });

  function keysOf() {
    return kept.keys.map(parseVerifierKey).filter((key) => key !== null);
  }

  /** Verifies the kept proof without the service. */
  function isProven(hash: string): boolean {
    const signed = verifyCheckpoint(kept.checkpoint, keysOf());
    if (!signed) return false;
    return verifyInclusion({
      index: record.seq,
      size: signed.size,
      leaf: Buffer.from(hash, 'hex'),
      root: signed.root,
      proof: kept.proof.proof.map((each) => Buffer.from(each, 'hex')),
    });
  }
});
