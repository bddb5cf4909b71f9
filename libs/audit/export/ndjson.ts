import { createHash, type Hash } from 'node:crypto';

import { canonicalJson } from '../canonical-json.js';
import { type AuditRecord, omitFromRecord, type Omittable } from '../record/audit-record.js';
import { CompactRange } from '../tree/compact-range.js';
import { EXPORT_FORMAT, type ExportManifest, manifestLine } from './manifest.js';

/** Maximum number of hashes in a line that replaces records left out by a filter. */
export const HASHES_PER_LINE = 256;

/** Statements of the manifest that do not follow from the lines. */
export type ManifestTerms = Pick<
  ExportManifest,
  'tenant_id' | 'filters' | 'checkpoint' | 'consistency'
>;

/**
 * Encodes an export as lines of JSON, from the first event of the tenant on. Records that a filter
 * leaves out are there as hashes, so that a reader can still compute the root. Each call returns
 * the lines that are complete; the last one comes from {@link end}.
 */
export class NdjsonEncoder {
  private readonly tree = CompactRange.empty();
  private readonly content: Hash = createHash('sha256');
  private hashes: string[] = [];
  private records = 0;

  /** @param omit members that every record goes without. */
  constructor(private readonly omit: readonly Omittable[] = []) {}

  /** Number of records that were passed, those left out included. */
  get size(): number {
    return this.tree.size;
  }

  /** Root of the tree over the records that were passed. */
  root(): Buffer {
    return this.tree.root();
  }

  record(record: AuditRecord): string {
    const before = this.flush();
    this.append(record.hash);
    this.records += 1;
    return before + this.line(canonicalJson(omitFromRecord(record, this.omit)));
  }

  /** @param hash of a record that the filter leaves out, hex. */
  leftOut(hash: string): string {
    this.append(hash);
    this.hashes.push(hash);
    return this.hashes.length === HASHES_PER_LINE ? this.flush() : '';
  }

  /** Returns what is left, and the manifest. */
  end(terms: ManifestTerms): string {
    const before = this.flush();
    const manifest = manifestLine({
      format: EXPORT_FORMAT,
      ...terms,
      omit: this.omit.toSorted(),
      records: this.records,
      size: this.tree.size,
      root: this.tree.root().toString('hex'),
      content_sha256: this.content.copy().digest('hex'),
    });
    return `${before}${manifest}\n`;
  }

  private append(hash: string): void {
    this.tree.append(Buffer.from(hash, 'hex'));
  }

  private flush(): string {
    if (this.hashes.length === 0) return '';
    const seq = this.tree.size - this.hashes.length;
    const line = this.line(canonicalJson({ hashes: this.hashes, seq }));
    this.hashes = [];
    return line;
  }

  private line(text: string): string {
    const line = `${text}\n`;
    this.content.update(line);
    return line;
  }
}
