import { beforeAll, describe, expect, it } from '@jest/globals';

import { AUDIT_SIGNER, sampleExport, sampleRecords } from '#test/support/audit-export';
import { type Mutation, mutations } from '#test/support/audit-mutations';

import { ByteLines } from './byte-lines.js';
import { type ExportReport, ExportVerifier } from './export-verifier.js';

const MUTATIONS = 10_000;

describe('an export of 300 records', () => {
  let lines: readonly string[];
  /** The state of a verifier before each line. */
  let verifiers: readonly ExportVerifier[];
  beforeAll(async () => {
    lines = await sampleExport({ records: sampleRecords(300), checkpointSize: 250 });
    const verifier = new ExportVerifier({ keys: [AUDIT_SIGNER.key] });
    verifiers = lines.map((line) => {
      const before = verifier.fork();
      verifier.push(Buffer.from(line));
      return before;
    });
    expect(verifier.finish()).toMatchObject({ valid: true, unchecked_changes: 0 });
  });

  const verify = ({ from, rest }: Mutation): ExportReport | undefined => {
    const verifier = verifiers[from]?.fork();
    const cutter = new ByteLines();
    for (const line of cutter.push(rest)) {
      verifier?.push(line);
      if (verifier?.isBroken) break;
    }
    return verifier?.finish(cutter.rest);
  };

  it(`shows each of ${MUTATIONS} mutations, at or after the first altered line`, () => {
    const found = new Map<string, number>();
    for (const mutation of mutations(lines, MUTATIONS, 20_261_124)) {
      const report = verify(mutation);
      if (report?.valid !== false) throw new Error(`missed ${mutation.kind} at ${mutation.from}`);
      expect(report.first_break?.line).toBeGreaterThan(mutation.from);
      found.set(mutation.kind, (found.get(mutation.kind) ?? 0) + 1);
    }
    expect([...found.values()].reduce((sum, count) => sum + count)).toBe(MUTATIONS);
    expect(found.size).toBe(10);
  }, 300_000);
});
