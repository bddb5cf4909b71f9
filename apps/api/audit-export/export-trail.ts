import type { Readable } from 'node:stream';

import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { OMITTABLE, type Omittable } from '#audit';
import { validationFailed } from '#contracts';
import type { ExportTrailQuery } from '#contracts/http/index';
import { AuditTrees } from '#transparency';

import { auditFilter } from '../audit/audit-filter.js';
import type { Caller } from '../auth/caller.js';
import { type RunningExport, TrailExports } from '../recorded-reads/trail-exports.js';
import { Handles } from '../use-cases/handles.js';
import { ExportConcurrency } from './export-concurrency.js';
import { EXPORT_FORMATS } from './export-encoders.js';
import { ExportStream } from './export-stream.js';
import { TrailContent } from './trail-content.js';

/** An export as the client receives it. */
export interface ExportedTrail {
  readonly content: Readable;
  readonly contentType: string;
  readonly fileName: string;
}

/** Streams the caller's trail. */
export class ExportTrail extends Query<ExportedTrail> {
  constructor(
    readonly caller: Caller,
    readonly query: ExportTrailQuery,
  ) {
    super();
  }
}

@Handles(ExportTrail)
export class ExportTrailHandler implements IQueryHandler<ExportTrail> {
  constructor(
    private readonly exports: TrailExports,
    private readonly slots: ExportConcurrency,
    private readonly trees: AuditTrees,
    private readonly trail: TrailContent,
    private readonly streams: ExportStream,
  ) {}

  async execute({ caller, query }: ExportTrail): Promise<ExportedTrail> {
    const { tenantId } = caller;
    const { format, omit: omitted, after = -1, ...conditions } = query;
    const filter = auditFilter(conditions);
    const omit = omittedOf(omitted);
    const filters = given({ ...conditions, ...(after < 0 ? {} : { after }) });
    const release = this.slots.take(tenantId);
    let running: RunningExport | undefined;
    try {
      running = await this.exports.start(caller, 'export', { ...filters, format, omit });
      // The trail ends where it ends now: with the start of this export.
      const { size } = await this.trees.newest(tenantId);
      const request = { tenantId, format, omit, filter, filters, after, size };
      const content = this.streams.open({
        caller,
        running,
        release,
        chunks: (signal, onRecord) => this.trail.chunks(request, signal, onRecord),
      });
      const { contentType, extension } = EXPORT_FORMATS[format];
      return { content, contentType, fileName: `audit-${tenantId}-${size}.${extension}` };
    } catch (error) {
      release();
      await running?.end(0, 'failed');
      throw error;
    }
  }
}

/** @throws FootnoteError `validation_failed` for anything that records cannot omit. */
function omittedOf(list: string | undefined): readonly Omittable[] {
  if (list === undefined) return [];
  const names = list.split(',');
  const omit = OMITTABLE.filter((name) => names.includes(name));
  if (omit.length === names.length) return omit;
  const message = 'must be data, context or both, separated by a comma, each once';
  throw validationFailed([{ field: 'omit', message }]);
}

/** Returns the conditions that a request has, as text. */
function given(conditions: object): Readonly<Record<string, string>> {
  const present = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
