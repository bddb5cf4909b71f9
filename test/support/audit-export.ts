import { type AuditRecord, CompactRange, NdjsonEncoder, type Omittable } from '#audit';
import { noteSigner, signCheckpoint, TileTree, TileWriter } from '#audit';

import { auditHistory, auditRecords } from './audit-history.js';

const ORIGIN = 'footnote.example/log-1/tenant-a';
export const AUDIT_SIGNER = noteSigner(ORIGIN, 'ed25519', Buffer.alloc(32, 1));

/** A sample export: its records and the choices of its reader. */
export interface SampleExport {
  readonly records: readonly AuditRecord[];
  readonly omit?: readonly Omittable[];
  /** Default: all. */
  readonly keep?: (record: AuditRecord) => boolean;
  /** Filters in the manifest; default: a category if `keep` is there. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Size of the tree that the checkpoint in the manifest is of; default: all records. */
  readonly checkpointSize?: number;
}

/** Returns records of a sample history. */
export function sampleRecords(count: number): readonly AuditRecord[] {
  return auditRecords(auditHistory(count));
}

/** Returns a signed checkpoint over the first records. */
export function checkpointOf(records: readonly AuditRecord[], size = records.length): string {
  const range = CompactRange.empty();
  for (const { hash } of records.slice(0, size)) range.append(Buffer.from(hash, 'hex'));
  return signCheckpoint({ origin: ORIGIN, size, root: range.root() }, [AUDIT_SIGNER]);
}

/** Returns the lines of an export, each with its line feed. */
export async function sampleExport(sample: SampleExport): Promise<readonly string[]> {
  const { records, omit = [], keep, checkpointSize = records.length } = sample;
  const { filters = keep ? { category: 'admin' } : {} } = sample;
  const encoder = new NdjsonEncoder(omit);
  let text = '';
  for (const record of records)
    text += !keep || keep(record) ? encoder.record(record) : encoder.leftOut(record.hash);
  text += encoder.end({
    tenant_id: 'tenant-a',
    filters,
    checkpoint: checkpointOf(records, checkpointSize),
    consistency: await consistency(records, checkpointSize),
  });
  return text.split(/(?<=\n)/);
}

async function consistency(records: readonly AuditRecord[], from: number): Promise<string[]> {
  const writer = TileWriter.empty();
  const full = records.flatMap(({ hash }) => writer.append(Buffer.from(hash, 'hex')));
  const tiles = [...full, ...writer.partials()];
  const read = async ({ level, index }: { level: number; index: number }) =>
    Promise.resolve(
      tiles.findLast((tile) => tile.level === level && tile.index === index)?.hashes ??
        Buffer.alloc(0),
    );
  const proof = await new TileTree({ read }, records.length).consistencyProof(from);
  return proof.map((hash) => hash.toString('hex'));
}
