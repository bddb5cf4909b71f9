import { createReadStream } from 'node:fs';
import { join } from 'node:path';

import { verifyExport } from '#audit';
import { ApiHarness } from '#test/support/api/api-harness';
import { AUDIT_SIGNER, sampleExport, sampleRecords } from '#test/support/audit-export';
import { mutations } from '#test/support/audit-mutations';
import { UNLIMITED } from '#test/support/limits';

import { timed } from '../measure.js';
import type { Figure } from '../report.js';
import { feedDelay, verifyRate } from './audit-reads.js';
import { BenchTrail } from './audit-trail.js';
import type { BenchContext, Scenario } from './scenario.js';

const RECORDS = 20_000;

/**
 * The audit trail of a tenant: projection, pages, exports over HTTP, and the verification of an
 * export.
 */
export const auditScenario: Scenario = {
  name: 'audit',
  async run(context: BenchContext): Promise<readonly Figure[]> {
    const { only = ['trail', 'mutations', 'verifier'] } = context;
    return [
      ...(only.includes('trail') ? await trail(context) : []),
      ...(only.includes('mutations') ? await mutated(context) : []),
      ...(only.includes('verifier') ? await verifier(context) : []),
    ];
  },
};

async function trail({ scratch, say, note, events = RECORDS }: BenchContext) {
  note('audit trail', `${events} events, nine of ten of the measured tenant`);
  const figures: Figure[] = [];
  const show = (found: readonly Figure[]) => {
    for (const { what, measured } of found) say(`${what}: ${measured}`);
    figures.push(...found);
  };
  const bench = await BenchTrail.start(events);
  try {
    show(await bench.project());
    show(await bench.pages());
    show([await verifyRate(bench.api), await feedDelay(bench.api)]);
    const file = join(scratch, 'trail.ndjson');
    show(await bench.export(file, ''));
    const { milliseconds, result } = await timed(() => verifyExport(createReadStream(file)));
    if (!result.valid) throw new Error(`the export is broken: ${JSON.stringify(result)}`);
    say(`verified ${result.records} records in ${Math.round(milliseconds)} ms`);
    show(await bench.export(join(scratch, 'trail.csv'), '?format=csv'));
    show(await bench.export(join(scratch, 'part.ndjson'), '?actor_id=key-3'));
  } finally {
    await bench.stop();
  }
  return figures;
}

/** Mutations of an export that the API returned; the reader kept the root outside. */
async function mutated({ say, rounds = 10_000, seed = 1 }: BenchContext) {
  const { text, root } = await smallExport();
  const lines = text.split(/(?<=\n)/);
  const missed: string[] = [];
  for (const { kind, from, rest } of mutations(lines, rounds, seed)) {
    const altered = Buffer.concat([Buffer.from(lines.slice(0, from).join('')), rest]);
    const report = await verifyExport([altered]);
    if (report.valid && report.root === root) missed.push(kind);
  }
  say(`${missed.length} of ${rounds} mutations missed (seed ${seed})`);
  return [
    {
      what: `undetected mutations of ${rounds}, of an export of ${lines.length - 1} records over HTTP`,
      measured: String(missed.length),
      target: '0',
      met: missed.length === 0,
      raw: { missed: missed.length, kinds: missed.join(' ') },
    },
  ];
}

/** Returns an export of a tenant with records of several kinds. */
async function smallExport(): Promise<{ readonly text: string; readonly root: string }> {
  const api = await ApiHarness.start({ environment: UNLIMITED });
  try {
    const source = { name: 'docs', source_type: 'repo', url: 'https://example.com/a.git' };
    await api.call('POST', '/sources', source);
    for (let at = 0; at < 30; at += 1) {
      await api.call('PUT', '/policy', { staleness_budget_seconds: 60 + at });
      await api.call('POST', '/keys', { name: `key ${at}`, scopes: ['read'] });
      if (at % 10 === 9) await api.call('POST', '/audit/checkpoints');
    }
    const { text } = await api.call('GET', '/audit/export');
    const { valid, root } = await verifyExport([Buffer.from(text)]);
    if (!valid) throw new Error('the export is broken');
    return { text, root };
  } finally {
    await api.stop();
  }
}

/** Verification of an export with records of all types: parse, hash, fold and chain each. */
async function verifier({ say, note, rounds = 5 }: BenchContext): Promise<readonly Figure[]> {
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
}
