import { Injectable } from '@nestjs/common';

import type { ManifestTerms, Omittable } from '#audit';
import type { TrailFormat } from '#contracts/http/index';
import { TimeSlices } from '#platform';
import type { AuditFilter } from '#read-model';
import { AuditTrees, CheckpointHistory } from '#transparency';

import { EXPORT_FORMATS, type ExportEncoder } from './export-encoders.js';
import { TrailPages } from './trail-pages.js';

/** Characters that are encoded before they leave as one chunk. */
const CHUNK = 64 * 1024;

/** The content of an export. */
export interface ExportRequest {
  readonly tenantId: string;
  readonly format: TrailFormat;
  readonly omit: readonly Omittable[];
  readonly filter: AuditFilter;
  /** Filters as the request has them, for the manifest. */
  readonly filters: Readonly<Record<string, string>>;
  /** Records up to this seq are left out; -1 for none. */
  readonly after: number;
  /** Records of the trail when the export started. */
  readonly size: number;
}

/** Encodes an export of a trail. */
@Injectable()
export class TrailContent {
  constructor(
    private readonly pages: TrailPages,
    private readonly trees: AuditTrees,
    private readonly history: CheckpointHistory,
  ) {}

  /**
   * Returns the chunks of an export. It reads a page only when its reader takes more.
   * @param signal ends it.
   * @param onRecord called for each record before its chunk leaves.
   */
  async *chunks(
    request: ExportRequest,
    signal: AbortSignal,
    onRecord: () => void,
  ): AsyncGenerator<Buffer, void> {
    const encoder = EXPORT_FORMATS[request.format].encoder(request.omit);
    const slices = new TimeSlices();
    let text = encoder.begin();
    for await (const parts of this.encoded(request, encoder, onRecord)) {
      for (const part of parts) {
        text += part;
        if (text.length >= CHUNK) {
          yield Buffer.from(text);
          text = '';
        }
        await slices.pause(signal);
      }
      signal.throwIfAborted();
    }
    if (encoder.end) text += encoder.end(await this.terms(request));
    if (text !== '') yield Buffer.from(text);
  }

  private async *encoded(
    request: ExportRequest,
    encoder: ExportEncoder,
    onRecord: () => void,
  ): AsyncGenerator<Iterable<string>, void> {
    const { leftOut } = encoder;
    for await (const page of this.pages.read({ ...request, withHashes: leftOut !== null })) {
      if ('records' in page)
        yield mapped(page.records, (record) => {
          onRecord();
          return encoder.record(record);
        });
      else if (leftOut) yield mapped(page.hashes, leftOut);
    }
  }

  /** Returns the newest signed checkpoint that the export contains, with its consistency proof. */
  private async terms({ tenantId, filters, size }: ExportRequest): Promise<ManifestTerms> {
    const base = { tenant_id: tenantId, filters };
    const [head] = await this.history.before(tenantId, size + 1, 1);
    if (!head) return { ...base, checkpoint: null, consistency: [] };
    const proof = await this.trees.at(tenantId, size).consistencyProof(head.size);
    const consistency = proof.map((hash) => hash.toString('hex'));
    return { ...base, checkpoint: head.checkpoint, consistency };
  }
}

/** Encodes items as they are taken, so that a pause comes after each. */
function* mapped<T>(items: Iterable<T>, encode: (item: T) => string): Generator<string> {
  for (const item of items) yield encode(item);
}
