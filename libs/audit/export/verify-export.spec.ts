import { beforeAll, describe, expect, it } from '@jest/globals';

import type { AuditRecord } from '#audit';
import {
  AUDIT_SIGNER,
  checkpointOf,
  sampleExport,
  sampleRecords,
} from '#test/support/audit-export';

import { noteSigner } from '../checkpoint/note-key.js';
import { ByteLines, MAX_LINE_BYTES } from './byte-lines.js';
import { type ExportManifest, manifestLine } from './manifest.js';
import { verifyExport } from './verify-export.js';

const keys = [AUDIT_SIGNER.key];
const bytes = (lines: readonly string[]): Buffer[] => [Buffer.from(lines.join(''))];

/** Changes the manifest, and makes its digest fit. */
const restated = (lines: readonly string[], changes: Partial<ExportManifest>): string[] => {
  const { manifest } = JSON.parse(lines.at(-1) ?? '') as { manifest: ExportManifest };
  return [...lines.slice(0, -1), `${manifestLine({ ...manifest, ...changes })}\n`];
};

describe('verifyExport', () => {
  let records: readonly AuditRecord[];
  let lines: readonly string[];
  beforeAll(async () => {
    records = sampleRecords(120);
    lines = await sampleExport({ records });
  });

  it('accepts a complete export with a signed checkpoint, in chunks of any size', async () => {
    const [all = Buffer.alloc(0)] = bytes(lines);
    const chunks = Array.from({ length: Math.ceil(all.length / 777) }, (_, index) =>
      all.subarray(index * 777, (index + 1) * 777),
    );
    expect(await verifyExport(chunks, { keys })).toEqual({
      valid: true,
      records: 120,
      size: 120,
      root: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      checkpoint: 'signed',
      unchecked_changes: 0,
      first_break: null,
    });
    expect(await verifyExport([all])).toMatchObject({ valid: true, checkpoint: 'unsigned' });
  });

  it('accepts an export whose checkpoint is of fewer records', async () => {
    for (const checkpointSize of [0, 1, 64, 119]) {
      const smaller = await sampleExport({ records, checkpointSize });
      expect(await verifyExport(bytes(smaller), { keys })).toMatchObject({
        valid: true,
        checkpoint: 'signed',
      });
    }
  });

  it('accepts filtered exports, and counts changes that it could not recompute', async () => {
    const keep = ({ type }: AuditRecord): boolean => type === 'SourceUpdated';
    const filtered = await sampleExport({ records, keep });
    const report = await verifyExport(bytes(filtered), { keys });
    expect(report).toMatchObject({ valid: true, size: 120 });
    expect(report.records).toBeLessThan(60);
    expect(report.unchecked_changes).toBe(report.records);
    const none = await sampleExport({ records, keep: () => false });
    expect(none).toHaveLength(2);
    expect(await verifyExport(bytes(none), { keys })).toMatchObject({ valid: true, records: 0 });
  });

  it('accepts exports that omit data, context, or both', async () => {
    for (const omit of [['data'], ['context'], ['data', 'context']] as const) {
      const partial = await sampleExport({ records, omit });
      expect(partial[0]).not.toContain(`"${omit[0]}":`);
      expect(await verifyExport(bytes(partial), { keys })).toMatchObject({ valid: true });
    }
  });

  it('accepts the export of a tenant without events', async () => {
    const empty = await sampleExport({ records: [] });
    expect(await verifyExport(bytes(empty), { keys })).toMatchObject({ valid: true, size: 0 });
  });

  it('compares with checkpoints that were kept outside, also of earlier sizes', async () => {
    const kept = [checkpointOf(records, 60), checkpointOf(records)];
    const terms = { keys, checkpoints: kept };
    expect(await verifyExport(bytes(lines), terms)).toMatchObject({ valid: true });
    const fewer = await sampleExport({ records: records.slice(0, 100) });
    expect(await verifyExport(bytes(fewer), terms)).toMatchObject({
      valid: false,
      first_break: { kind: 'checkpoint', seq: 100 },
    });
    const others = records.map((record, at) => (at === 30 ? { ...record, id: 'other' } : record));
    const rewritten = checkpointOf(
      others.map((record) => ({ ...record, hash: record.id === 'other' ? kept60 : record.hash })),
      60,
    );
    expect(await verifyExport(bytes(lines), { keys, checkpoints: [rewritten] })).toMatchObject({
      first_break: { kind: 'checkpoint', seq: 59 },
    });
  });
  const kept60 = '6'.repeat(64);

  it('rejects checkpoints of other keys, and malformed ones', async () => {
    const stranger = noteSigner('stranger.example', 'ed25519', Buffer.alloc(32, 9));
    const signature = { first_break: { kind: 'signature', seq: null } };
    expect(await verifyExport(bytes(lines), { keys: [stranger.key] })).toMatchObject(signature);
    const noted = { keys, checkpoints: ['no note'] };
    expect(await verifyExport(bytes(lines), noted)).toMatchObject(signature);
  });

  it('rejects a manifest that states something else', async () => {
    const kindOf = async (changes: Partial<ExportManifest>): Promise<string | undefined> =>
      (await verifyExport(bytes(restated(lines, changes)), { keys })).first_break?.kind;
    expect(await kindOf({ records: 119 })).toBe('manifest');
    expect(await kindOf({ size: 121 })).toBe('manifest');
    expect(await kindOf({ root: '0'.repeat(64) })).toBe('root');
    expect(await kindOf({ content_sha256: '0'.repeat(64) })).toBe('content');
    expect(await kindOf({ checkpoint: 'no note' })).toBe('checkpoint');
    expect(await kindOf({ checkpoint: checkpointOf(records, 60) })).toBe('checkpoint');
    expect(await kindOf({ consistency: ['0'.repeat(64)] })).toBe('checkpoint');
    expect(await kindOf({ checkpoint: null })).toBeUndefined();
    const filtered = await sampleExport({ records, keep: ({ seq }) => seq > 3 });
    expect(await verifyExport(bytes(restated(filtered, { filters: {} })))).toMatchObject({
      first_break: { kind: 'manifest' },
    });
  });

  it('rejects lines after the manifest, a missing one, and bytes without a line feed', async () => {
    const first = lines[0] ?? '';
    const after = await verifyExport(bytes([...lines, first]));
    expect(after.first_break).toEqual({ seq: null, kind: 'trailing', line: 122 });
    expect((await verifyExport(bytes([...lines, 'x']))).first_break?.kind).toBe('trailing');
    const cut = await verifyExport(bytes(lines.slice(0, -1)));
    expect(cut.first_break).toEqual({ seq: 120, kind: 'truncated', line: 121 });
    expect((await verifyExport([])).first_break).toMatchObject({ kind: 'truncated', line: 1 });
    const whole = lines.join('');
    expect((await verifyExport([Buffer.from(whole.slice(0, -1))])).first_break).toMatchObject({
      kind: 'truncated',
    });
  });
});

describe('ByteLines', () => {
  it('bounds a line that does not end', () => {
    const lines = new ByteLines();
    const chunk = Buffer.alloc(MAX_LINE_BYTES, 'x');
    expect([...lines.push(chunk)]).toEqual([]);
    expect(() => [...lines.push(Buffer.from('y'))]).toThrow(RangeError);
  });
});
