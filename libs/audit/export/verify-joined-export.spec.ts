import { beforeAll, describe, expect, it } from '@jest/globals';

import type { AuditRecord } from '#audit';
import { AUDIT_SIGNER, sampleExport, sampleRecords } from '#test/support/audit-export';
import { auditHistory, auditRecords } from '#test/support/audit-history';

import { verifyExport } from './verify-export.js';
import { verifyJoinedExport } from './verify-joined-export.js';

const terms = { keys: [AUDIT_SIGNER.key] };

describe('verifyJoinedExport', () => {
  let records: readonly AuditRecord[];
  let whole: readonly string[];
  beforeAll(async () => {
    records = sampleRecords(120);
    whole = await sampleExport({ records });
  });

  /** Returns the download that continues after a seq. */
  const after = async (seq: number, keep: (record: AuditRecord) => boolean = () => true) =>
    sampleExport({
      records,
      keep: (record) => record.seq > seq && keep(record),
      filters: { after: String(seq) },
    });
  const verify = (...parts: readonly (readonly string[])[]) =>
    verifyJoinedExport(
      parts.map((lines) => [Buffer.from(lines.join(''))]),
      terms,
    );
  const cut = (lines: readonly string[], count: number) => [
    ...lines.slice(0, count),
    lines[count]?.slice(0, 50) ?? '',
  ];

  it('accepts a download that broke off in a line, and its continuation', async () => {
    const report = await verify(cut(whole, 40), await after(39));
    expect(report).toMatchObject({
      valid: true,
      records: 120,
      size: 120,
      checkpoint: 'signed',
      unchecked_changes: 0,
      broken_part: null,
    });
  });

  it('accepts several continuations, and records that two parts have', async () => {
    const second = cut(await after(29), 30);
    const third = await after(40);
    expect(await verify(cut(whole, 40), second, third)).toMatchObject({
      valid: true,
      records: 120,
    });
  });

  it('accepts the parts of a filtered export', async () => {
    const keep = ({ type }: AuditRecord) => type === 'SourceUpdated';
    const filters = { type: 'SourceUpdated' };
    const first = await sampleExport({ records, keep, filters });
    const last = first.findIndex((line, at) => at > 5 && line.includes('"type":"SourceUpdated"'));
    const { seq } = JSON.parse(first[last] ?? '') as AuditRecord;
    const second = await sampleExport({
      records,
      keep: (record) => record.seq > seq && keep(record),
      filters: { ...filters, after: String(seq) },
    });
    expect(await verify(first.slice(0, last + 1), second)).toMatchObject({
      valid: true,
      records: records.filter(keep).length,
    });
  });

  describe('of a filtered export', () => {
    const isUpdate = ({ type }: AuditRecord) => type === 'SourceUpdated';
    const filters = { type: 'SourceUpdated' };
    let seqs: readonly number[];
    beforeAll(() => {
      seqs = records.filter(isUpdate).map(({ seq }) => seq);
    });

    /** Returns the filtered download after a record, by its place among those kept. */
    const from = async (place: number) => {
      const seq = seqs[place] ?? -1;
      return sampleExport({
        records,
        keep: (record) => record.seq > seq && isUpdate(record),
        filters: place < 0 ? filters : { ...filters, after: String(seq) },
      });
    };
    /** Ends a download after a record. */
    const until = (lines: readonly string[], place: number) =>
      lines.slice(0, lines.findIndex((line) => line.startsWith('{') && isSeq(line, place)) + 1);
    const isSeq = (line: string, place: number) =>
      (JSON.parse(line) as Partial<AuditRecord>).type === 'SourceUpdated' &&
      (JSON.parse(line) as AuditRecord).seq === seqs[place];

    it('accepts parts that overlap by a record', async () => {
      const parts = [until(await from(-1), 2), until(await from(1), 4), await from(4)];
      expect(await verify(...parts)).toMatchObject({ valid: true, records: seqs.length });
    });

    it('reports a gap before the last part', async () => {
      expect(await verify(until(await from(-1), 2), await from(4))).toMatchObject({
        valid: false,
        broken_part: 2,
        first_break: { kind: 'seq', seq: (seqs[2] ?? 0) + 1 },
      });
    });

    it('reports a gap before a part without a manifest', async () => {
      const parts = [until(await from(-1), 2), until(await from(3), 5), await from(5)];
      expect(await verify(...parts)).toMatchObject({
        valid: false,
        broken_part: 2,
        first_break: { kind: 'seq', seq: (seqs[2] ?? 0) + 1 },
      });
    });
  });

  it('reports a gap between two parts', async () => {
    expect(await verify(cut(whole, 40), await after(50))).toMatchObject({
      valid: false,
      broken_part: 2,
      first_break: { kind: 'seq', seq: 40 },
    });
  });

  it('reports a first part that does not begin at the start, and a last part without an end', async () => {
    const rest = await after(39);
    expect(await verify(rest.slice(0, -1), await after(60))).toMatchObject({ valid: false });
    expect(await verify(cut(whole, 40), rest.slice(0, -1))).toMatchObject({
      valid: false,
      broken_part: 2,
      first_break: { kind: 'truncated' },
    });
  });

  it('reports an altered record in each part', async () => {
    const alter = (lines: readonly string[]) => [
      ...lines.slice(0, 10),
      (lines[10] ?? '').replace(/"occurred_at":"2/, '"occurred_at":"3'),
      ...lines.slice(11),
    ];
    const [first, second] = [cut(whole, 40), await after(39)];
    expect(await verify(alter(first), second)).toMatchObject({ valid: false, broken_part: 1 });
    expect(await verify(first, alter(second))).toMatchObject({ valid: false, broken_part: 2 });
  });

  it('reports a continuation of another history, although each part is consistent', async () => {
    const other = await sampleExport({
      records: auditRecords(auditHistory(121).slice(1)),
      keep: ({ seq }) => seq > 39,
      filters: { after: '39' },
    });
    expect(await verifyExport([Buffer.from(other.join(''))], terms)).toMatchObject({ valid: true });
    expect(await verify(cut(whole, 40), other)).toMatchObject({
      valid: false,
      broken_part: 2,
      first_break: { kind: 'root', seq: 39 },
    });
  });

  it('needs a part', async () => {
    await expect(verify()).rejects.toThrow('must have at least one part');
  });
});
