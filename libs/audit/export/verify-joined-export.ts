import { CompactRange } from '../tree/compact-range.js';
import { ByteLines } from './byte-lines.js';
import { type BreakKind, type ExportReport, ExportVerifier } from './export-verifier.js';
import type { CheckpointTerms } from './known-checkpoints.js';
import { isManifestLine } from './manifest.js';
import { verifyExport } from './verify-export.js';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The findings on an export in parts. */
export interface JoinReport extends ExportReport {
  /** Number of the part with the break, from 1; null without one. */
  readonly broken_part: number | null;
}

/**
 * Verifies an export that arrived in parts: downloads that broke off, each continued by `after`.
 * Each part is verified by itself, and its records continue those of the parts before. An
 * incomplete line at the end of a part is ignored, but the last part must be complete.
 *
 * The manifest of the last part states where it begins. In a filtered export, the other parts must
 * begin with a record of the part before or the next one. A gap would look like records left out.
 * @throws RangeError for no part or a line above 32 MiB; whatever the chunks throw.
 */
export async function verifyJoinedExport(
  parts: readonly Chunks[],
  terms: CheckpointTerms = {},
): Promise<JoinReport> {
  if (parts.length === 0) throw new RangeError('an export must have at least one part (got 0)');
  const join = new ExportJoin(terms);
  for (const part of parts) {
    join.begin();
    const lines = new ByteLines();
    for await (const chunk of part) {
      for (const line of lines.push(chunk)) join.push(line);
      if (join.isBroken) return join.finish();
    }
    join.rest = lines.rest;
  }
  return join.finish();
}

/**
 * Verifies an export, whole or in parts.
 * @throws as {@link verifyJoinedExport}
 */
export function verifyParts(
  parts: readonly Chunks[],
  terms: CheckpointTerms = {},
): Promise<ExportReport | JoinReport> {
  const [only, ...others] = parts;
  return only && others.length === 0 ? verifyExport(only, terms) : verifyJoinedExport(parts, terms);
}

/** A place where a part may not continue the parts before. */
interface Doubt {
  readonly part: number;
  readonly seq: number;
  readonly line: number;
}

/** The leaves of all parts as one export, and the part that is being read. */
class ExportJoin {
  /** Bytes after the last line feed of the part. */
  rest = 0;
  private readonly whole: ExportVerifier;
  private part: ExportVerifier;
  private number = 0;
  /** Leaves that the parts before have. */
  private start = 0;
  /** Leaves of the part up to {@link start}. */
  private lead = CompactRange.empty();
  private break: { readonly kind: BreakKind; readonly seq: number | null } | null = null;
  private lines = 0;
  /** Shows whether the part has a record that the parts before have, or the next one. */
  private isContinued = false;
  /** The first new leaves of the part, if a filter or a gap left out their records. */
  private doubt: Doubt | null = null;
  /** The first doubt about a part before. */
  private firstDoubt: Doubt | null = null;

  constructor(private readonly terms: CheckpointTerms) {
    this.whole = new ExportVerifier(terms);
    this.part = new ExportVerifier(terms);
  }

  get isBroken(): boolean {
    return this.break !== null || this.part.isBroken || this.whole.isBroken;
  }

  begin(): void {
    this.firstDoubt ??= this.doubt;
    this.doubt = null;
    this.isContinued = false;
    this.number += 1;
    this.start = this.whole.size;
    this.part = new ExportVerifier(this.terms);
    this.lead = CompactRange.empty();
    this.lines = 0;
  }

  push(line: Buffer): void {
    if (this.isBroken) return;
    this.lines += 1;
    const { size: first, counted } = this.part;
    this.part.push(line);
    if (this.part.isBroken) return;
    const text = line.toString('utf8');
    if (isManifestLine(text)) return;
    const leaves = leavesOf(text);
    this.compareStart(first, first + leaves.length, this.part.counted > counted);
    this.append(line, first, leaves);
  }

  /** Compares leaves that the parts before have, and appends the others. */
  private append(line: Buffer, first: number, leaves: readonly string[]): void {
    const known = Math.min(Math.max(this.start - first, 0), leaves.length);
    for (const leaf of leaves.slice(0, known)) this.lead.append(Buffer.from(leaf, 'hex'));
    if (first + known === this.start && known > 0) this.compareLead();
    if (known === leaves.length || this.isBroken) return;
    if (known === 0) return this.whole.push(line);
    const rest = { hashes: leaves.slice(known), seq: first + known };
    this.whole.push(Buffer.from(`${JSON.stringify(rest)}\n`));
  }

  private compareStart(first: number, end: number, isRecord: boolean): void {
    if (isRecord) this.isContinued ||= first <= this.start;
    else if (this.number > 1 && end > this.start && !this.isContinued)
      this.doubt ??= { part: this.number, seq: this.start, line: this.lines };
  }

  private compareLead(): void {
    if (!this.lead.root().equals(this.whole.root)) this.stop('root', this.start - 1);
  }

  finish(): JoinReport {
    // Reading stops at a break, so what follows it is no finding. That holds for the end of the
    // part and for the end of the whole, which has no manifest.
    const early = this.isBroken;
    const wasPartBroken = this.part.isBroken;
    const part = this.part.finish(this.rest);
    if (!early && part.first_break === null) this.complete(part);
    const own = this.whole.isBroken ? this.whole.finish().first_break : null;
    const joint = this.break ?? own;
    const inPart =
      (wasPartBroken || !early ? part.first_break : null) ??
      (joint && { kind: joint.kind, seq: joint.seq, line: this.lines });
    const doubt = inPart || !this.isFiltered ? null : this.firstDoubt;
    const first_break =
      inPart ?? (doubt && { kind: 'seq' as const, seq: doubt.seq, line: doubt.line });
    return {
      ...this.whole.finish(),
      valid: first_break === null,
      checkpoint: part.checkpoint,
      first_break,
      broken_part: first_break && (doubt?.part ?? this.number),
    };
  }

  /** Compares the whole with the manifest of the last part. */
  private complete(part: ExportReport): void {
    const { after } = this.part.filters;
    if (this.number > 1 && Number(after ?? -1) >= this.start) return this.stop('seq', this.start);
    if (this.whole.size !== part.size || this.whole.root.toString('hex') !== part.root)
      return this.stop('root', null);
    const isComplete = !this.isFiltered && (this.number > 1 || after === undefined);
    if (isComplete && this.whole.counted !== part.size) this.stop('manifest', null);
  }

  /** True if the manifest has a filter that leaves out records between others. */
  private get isFiltered(): boolean {
    return Object.keys(this.part.filters).some((name) => name !== 'after');
  }

  private stop(kind: BreakKind, seq: number | null): void {
    this.break ??= { kind, seq };
  }
}

/** Returns the leaves of a line that was verified. */
function leavesOf(text: string): readonly string[] {
  const { hash, hashes } = JSON.parse(text) as { hash?: string; hashes?: readonly string[] };
  return hashes ?? (hash === undefined ? [] : [hash]);
}
