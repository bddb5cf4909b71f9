import { createHash } from 'node:crypto';

import { AuditFold } from '../changes/audit-fold.js';
import { NO_LEAF } from '../leaf/leaf.js';
import type { PartialRecord } from '../record/audit-record.js';
import { readRecord } from '../record/read-record.js';
import { type RecordProblem, sameJson, verifyRecord } from '../record/verify-record.js';
import { CompactRange } from '../tree/compact-range.js';
import {
  type CheckpointTerms,
  KnownCheckpoints,
  verifyStatedCheckpoint,
} from './known-checkpoints.js';
import { type ExportManifest, isManifestLine, parseManifest } from './manifest.js';
import { HASHES_PER_LINE } from './ndjson.js';

/**
 * The kinds of problems of an export.
 * - `line`: no record, hashes or manifest.
 * - `seq`, `prev_hash`: a record is missing, added or moved.
 * - `content`, `manifest`: the last line does not fit the lines before.
 * - `truncated`: it has no manifest.
 * - `root`, `checkpoint`, `signature`: the tree is another one.
 */
export type BreakKind =
  | RecordProblem
  | 'line'
  | 'seq'
  | 'prev_hash'
  | 'changes'
  | 'content'
  | 'manifest'
  | 'truncated'
  | 'trailing'
  | 'root'
  | 'checkpoint'
  | 'signature';

/** The first thing that is wrong. */
export interface FirstBreak {
  /** The record that is wrong or was expected; null where the manifest is. */
  readonly seq: number | null;
  readonly kind: BreakKind;
  /** Number of the line, from 1. */
  readonly line: number;
}

/** The findings of a verifier. */
export interface ExportReport {
  readonly valid: boolean;
  readonly records: number;
  /** Leaves of the tree that were read. */
  readonly size: number;
  /** Root of the tree over them, hex. */
  readonly root: string;
  /**
   * Shows whether a signed checkpoint of the export, or one that was passed, covers its records.
   */
  readonly checkpoint: 'none' | 'unsigned' | 'signed';
  /** Records whose `changes` were not recomputed, since events of their streams are left out. */
  readonly unchecked_changes: number;
  readonly first_break: FirstBreak | null;
}

/**
 * Verifies an export line by line, with memory that does not grow with it: each record, the chain,
 * the derived members, the root, and checkpoints.
 */
export class ExportVerifier {
  private tree = CompactRange.empty();
  private content = createHash('sha256');
  private fold = new AuditFold();
  private readonly known: KnownCheckpoints;
  private previous = NO_LEAF;
  private lines = 0;
  private records = 0;
  private unchecked = 0;
  private manifest: ExportManifest | null = null;
  private firstBreak: FirstBreak | null = null;
  private checkpoint: ExportReport['checkpoint'] = 'none';

  constructor(private readonly terms: CheckpointTerms = {}) {
    this.known = new KnownCheckpoints(terms);
    if (!this.known.areSigned) this.stop('signature', null);
    this.compareKnown();
  }

  /** True if no further line can change the report. */
  get isBroken(): boolean {
    return this.firstBreak !== null;
  }

  /** Leaves that were read. */
  get size(): number {
    return this.tree.size;
  }

  /** Records that were read. */
  get counted(): number {
    return this.records;
  }

  /** Root of the tree over the leaves. */
  get root(): Buffer {
    return this.tree.root();
  }

  /** Filters in the manifest, by name; empty before it. */
  get filters(): ExportManifest['filters'] {
    return this.manifest?.filters ?? {};
  }

  /** Returns a verifier that continues after the same lines, without effect on this one. */
  fork(): ExportVerifier {
    const fork = new ExportVerifier(this.terms);
    return Object.assign(fork, this, {
      tree: CompactRange.of(this.tree.size, this.tree.nodes),
      content: this.content.copy(),
      fold: this.fold.copy(),
    });
  }

  /** @param line with its line feed. */
  push(line: Uint8Array): void {
    if (this.firstBreak) return;
    this.lines += 1;
    if (this.manifest) return this.stop('trailing', null);
    const text = Buffer.from(line.buffer, line.byteOffset, line.length - 1).toString('utf8');
    if (isManifestLine(text)) return this.end(text);
    this.content.update(line);
    const value = parse(text);
    const record = readRecord(value);
    if (record) return this.record(record);
    const hashes = readHashes(value);
    if (!hashes) return this.stop('line', this.tree.size);
    if (hashes.seq !== this.tree.size) return this.stop('seq', this.tree.size);
    for (const hash of hashes.hashes) this.append(hash);
  }

  /** Returns the report; bytes after the last line feed make the export truncated. */
  finish(rest = 0): ExportReport {
    if (!this.firstBreak && (!this.manifest || rest > 0)) {
      this.lines += 1;
      this.stop(this.manifest ? 'trailing' : 'truncated', this.manifest ? null : this.tree.size);
    }
    return {
      valid: this.firstBreak === null,
      records: this.records,
      size: this.tree.size,
      root: this.tree.root().toString('hex'),
      checkpoint: this.checkpoint,
      unchecked_changes: this.unchecked,
      first_break: this.firstBreak,
    };
  }

  private record(record: PartialRecord): void {
    const { seq } = record;
    if (seq !== this.tree.size) return this.stop('seq', this.tree.size);
    if (record.prev_hash !== this.previous) return this.stop('prev_hash', seq);
    const problem = verifyRecord(record);
    if (problem) return this.stop(problem, seq);
    if (!this.areChangesRight(record)) return this.stop('changes', seq);
    this.records += 1;
    this.append(record.hash);
  }

  private areChangesRight({ data, changes, ...event }: PartialRecord): boolean {
    if (data === undefined) return true;
    const expected = this.fold.apply({ ...event, data });
    if (expected !== null) return sameJson(changes, expected);
    this.unchecked += 1;
    return true;
  }

  private append(hash: string): void {
    this.tree.append(Buffer.from(hash, 'hex'));
    this.previous = hash;
    this.compareKnown();
  }

  private compareKnown(): void {
    if (!this.known.allow(this.tree.size, () => this.tree.root()))
      this.stop('checkpoint', this.tree.size - 1);
  }

  private end(text: string): void {
    const manifest = parseManifest(text);
    if (manifest?.records !== this.records || manifest.size !== this.tree.size)
      return this.stop('manifest', null);
    // Without a filter, nothing is left out.
    if (Object.keys(manifest.filters).length === 0 && manifest.records < manifest.size)
      return this.stop('manifest', null);
    if (this.content.digest('hex') !== manifest.content_sha256) return this.stop('content', null);
    const root = this.tree.root();
    if (root.toString('hex') !== manifest.root) return this.stop('root', null);
    if (this.known.largest > manifest.size) return this.stop('checkpoint', manifest.size);
    const stated = verifyStatedCheckpoint(manifest, root, this.terms);
    if (stated === 'checkpoint' || stated === 'signature') return this.stop(stated, null);
    this.checkpoint = this.known.size > 0 && stated !== 'signed' ? this.known.trust : stated;
    this.manifest = manifest;
  }

  private stop(kind: BreakKind, seq: number | null): void {
    this.firstBreak ??= { seq, kind, line: this.lines };
  }
}

function readHashes(
  value: unknown,
): { readonly seq: number; readonly hashes: readonly string[] } | null {
  if (typeof value !== 'object' || value === null) return null;
  const { seq, hashes, ...unknown } = value as { seq?: unknown; hashes?: unknown };
  if (Object.keys(unknown).length > 0 || typeof seq !== 'number' || !Array.isArray(hashes))
    return null;
  const isRight = (hash: unknown): boolean =>
    typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash);
  if (hashes.length === 0 || hashes.length > HASHES_PER_LINE || !hashes.every(isRight)) return null;
  return { seq, hashes: hashes as string[] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
