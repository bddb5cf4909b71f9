import { verifyExport } from '#audit';
import { AUDIT_SIGNER, sampleExport, sampleRecords } from '#test/support/audit-export';

import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const RECORDS = 20_000;

/** Verification of an export of the audit trail: parse, hash, fold and chain each record. */
export const auditScenario: Scenario = {
  name: 'audit',
  async run({ say, note, rounds = 5 }: BenchContext): Promise<readonly Figure[]> {
    const records = sampleRecords(RECORDS);
    const content = Buffer.from((await sampleExport({ records })).join(''));
    const bytes = Math.round(content.length / RECORDS);
    note('audit', `an export of ${RECORDS} records of all types, ${bytes} bytes each`);
    const speeds: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = process.cpuUsage();
      const report = await verifyExport([content], { keys: [AUDIT_SIGNER.key] });
      const { user, system } = process.cpuUsage(before);
      if (!report.valid) throw new Error(`the export is broken: ${JSON.stringify(report)}`);
      const speed = RECORDS / ((user + system) / 1e6);
      say(`${Math.round(speed)} records per second of processor time`);
      speeds.push(speed);
    }
    const speed = Math.max(...speeds);
    return [
      {
        what: 'verified records of an export, per second of processor time',
        measured: `${Math.round(speed)} records/s`,
        target: '≥ 30,000 records/s',
        met: speed >= 30_000,
        raw: { speed, bytes },
      },
    ];
  },
};
