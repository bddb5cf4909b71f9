import { evolveOverview, OVERVIEW_EVENTS } from '#domain';
import { redactSourceEvent } from '#ingest/redact/redact-source-event';
import { sourcesTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

/** Sources as lists show them. A removed source has no row, whatever its jobs still say. */
export const sourcesProjection = defineProjection({
  name: 'sources',
  version: 4,
  table: sourcesTable,
  handles: OVERVIEW_EVENTS,
  keyOf: (event) => [event.tenant_id, event.data.source_id],
  evolve: (row, event) => evolveOverview(row, redactSourceEvent(event)),
});
