import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from '@jest/globals';

import type { AuditRecord } from '#audit';
import {
  AUDIT_SIGNER,
  checkpointOf,
  sampleExport,
  sampleRecords,
} from '#test/support/audit-export';
import { MUTATION_COUNT, mutations } from '#test/support/audit-mutations';
import { PROJECT_ROOT } from '#test/support/project-root';
import { tempDir } from '#test/support/temp-dir';

import { formatVerifierKey, noteSigner } from '../checkpoint/note-key.js';
import type { ExportReport } from './export-verifier.js';
import { verifyExport } from './verify-export.js';
import { verifyJoinedExport } from './verify-joined-export.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;
/** Mutations for one call of the script, whose words have a limit. */
const BATCH = 500;
const terms = { keys: [AUDIT_SIGNER.key] };

(hasPython ? describe : describe.skip)('tools/verify_export.py', () => {
  const folder = tempDir();
  afterAll(() => folder.remove());

  const python = (exports: readonly Buffer[], ...options: readonly string[]): string[] => {
    const files = exports.map((content, index) => {
      const path = join(folder.path, `${index}.ndjson`);
      writeFileSync(path, content);
      return path;
    });
    const script = join(PROJECT_ROOT, 'tools/verify_export.py');
    const key = formatVerifierKey(AUDIT_SIGNER.key);
    const words = [script, '--key', key, ...options, ...files];
    const { stdout, stderr } = spawnSync('python3', words, { encoding: 'utf8', timeout: 300_000 });
    return `${stdout}${stderr}`
      .trim()
      .split('\n')
      .map((line) => line.replace(/^.*ndjson: /, ''));
  };
  /** Returns the findings of the service's own verifier, in the words of the script. */
  const own = async (content: Buffer): Promise<string> => {
    return inWords(await verifyExport([content], terms));
  };
  const ownOfParts = async (parts: readonly Buffer[]): Promise<string> =>
    inWords(
      await verifyJoinedExport(
        parts.map((part) => [part]),
        terms,
      ),
    );
  const inWords = (report: ExportReport): string => {
    const { records, size, root, unchecked_changes, first_break } = report;
    if (!first_break)
      return `valid records=${records} size=${size} root=${root} unchecked_changes=${unchecked_changes}`;
    const { kind, seq, line } = first_break;
    return `broken kind=${kind} seq=${seq ?? '-'} line=${line}`;
  };

  it('accepts what the verifier of the service accepts, with the same root', async () => {
    const records = sampleRecords(300);
    const samples = [
      { records },
      { records, checkpointSize: 77 },
      { records, omit: ['data'] as const },
      { records, omit: ['context'] as const },
      { records, keep: ({ seq }: { seq: number }) => seq % 5 === 0 },
      { records: [] },
    ];
    const exports = await Promise.all(
      samples.map(async (sample) => Buffer.from((await sampleExport(sample)).join(''))),
    );
    const expected = await Promise.all(exports.map(own));
    expect(expected.every((text) => text.startsWith('valid '))).toBe(true);
    expect(python(exports)).toEqual(expected);
  });

  it('finds the same in parts of a broken-off download', async () => {
    const records = sampleRecords(120);
    const isUpdate = ({ type }: AuditRecord) => type === 'SourceUpdated';
    /** Returns the download after a seq, up to a number of lines and a piece of the next. */
    const part = async (after: number, lines?: number, isFiltered = false) => {
      const text = await sampleExport({
        records,
        keep: (record) => record.seq > after && (!isFiltered || isUpdate(record)),
        filters: {
          ...(isFiltered && { type: 'SourceUpdated' }),
          ...(after >= 0 && { after: String(after) }),
        },
      });
      const kept = lines === undefined ? text : [...text.slice(0, lines), '{"seq":'];
      return Buffer.from(kept.join(''));
    };
    const seqs = records.filter(isUpdate).map(({ seq }) => seq);
    const seq = (place: number) => seqs[place] ?? -1;
    const first = part(-1, 40);
    const filtered = part(-1, 6, true);
    const downloads = await Promise.all(
      [
        [first, part(39)],
        [first, part(29, 30), part(40)],
        [part(-1)],
        [first, part(50)],
        [first, part(39, 10)],
        [part(-1, 10), part(20, 30), part(40)],
        [filtered, part(seq(1), undefined, true)],
        [filtered, part(seq(0), 20, true), part(seq(3), undefined, true)],
        [filtered, part(seq(9), undefined, true)],
        [filtered, part(seq(8), 6, true), part(seq(10), undefined, true)],
      ].map((parts) => Promise.all(parts)),
    );
    const findings = await Promise.all(downloads.map(ownOfParts));
    expect(findings.map((text) => text.split(' ')[0])).toEqual([
      ...['valid', 'valid', 'valid', 'broken', 'broken', 'broken'],
      ...['valid', 'valid', 'broken', 'broken'],
    ]);
    expect(downloads.map((parts) => python(parts, '--parts'))).toEqual(
      findings.map((text) => [text]),
    );
  });

  it(`finds the same first break in each of ${MUTATION_COUNT} mutations`, async () => {
    const lines = await sampleExport({ records: sampleRecords(150), checkpointSize: 100 });
    const all = [...mutations(lines, MUTATION_COUNT, 7)];
    let broken = 0;
    for (let start = 0; start < all.length; start += BATCH) {
      const exports = all
        .slice(start, start + BATCH)
        .map(({ from, rest }) => Buffer.concat([Buffer.from(lines.slice(0, from).join('')), rest]));
      const expected = await Promise.all(exports.map(own));
      broken += expected.filter((text) => text.startsWith('broken ')).length;
      expect(python(exports)).toEqual(expected);
    }
    expect(broken).toBe(MUTATION_COUNT);
  }, 1_800_000);

  it('compares with a checkpoint that was kept, and rejects one of another key', async () => {
    const records = sampleRecords(60);
    const kept = join(folder.path, 'kept');
    writeFileSync(kept, checkpointOf(records, 50));
    const whole = Buffer.from((await sampleExport({ records })).join(''));
    const fewer = Buffer.from((await sampleExport({ records: records.slice(0, 40) })).join(''));
    const [first, second] = python([whole, fewer], '--checkpoint', kept);
    expect(first).toMatch(/^valid /);
    expect(second).toBe('broken kind=checkpoint seq=40 line=41');
    const stranger = noteSigner('stranger.example', 'ed25519', Buffer.alloc(32, 9));
    const other = formatVerifierKey(stranger.key);
    writeFileSync(kept, checkpointOf(records, 50).replaceAll(AUDIT_SIGNER.key.name, 'stranger'));
    expect(python([whole], '--key', other, '--checkpoint', kept)[0]).toContain('must be signed');
  });
});
