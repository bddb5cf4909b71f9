import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { TrailExports } from '#apps/api/recorded-reads/trail-exports';
import { tenantDecider } from '#domain';
import { type EventStore, foldStream } from '#event-store';
import type { Clock, Logger } from '#platform';

import { LogTrail, type LogTrailSummary } from './log-trail.js';
import type { OperatorRun } from './operator/recorded-run.js';

export interface ExportTrailDependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes the complete trail of a tenant into a new file, from the log alone. Start and end are
 * events of the tenant, also of an erased one.
 * @throws Error if the tenant does not exist, or the file does.
 */
export async function exportTrail(
  { eventStore, clock, logger }: ExportTrailDependencies,
  tenantId: string,
  file: string,
  { actor, correlation_id: requestId }: OperatorRun,
): Promise<LogTrailSummary> {
  const { state } = await foldStream(eventStore, tenantDecider, `tenant-${tenantId}`);
  if (state.status === 'absent') throw new Error(`Tenant ${tenantId} not found`);
  const reader = { tenantId, actor, requestId };
  const target = createWriteStream(file, { flags: 'wx' });
  await once(target, 'open');
  const exports = new TrailExports(eventStore, clock, logger);
  const running = await exports.start(reader, 'export', {});
  let summary: LogTrailSummary | undefined;
  try {
    const chunks = new LogTrail(eventStore).chunks(tenantId, (end) => (summary = end));
    await pipeline(Readable.from(chunks, { objectMode: false }), target);
    if (!summary) throw new Error('The export ended without its manifest');
  } catch (error) {
    await rm(file, { force: true });
    await running.end(0, 'failed');
    throw error;
  }
  await running.end(summary.records, 'completed');
  return summary;
}
