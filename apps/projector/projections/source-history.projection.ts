import {
  type PriorityKind,
  priorityKind,
  type SourceDefinition,
  TENANT_AUDIENCE,
} from '#contracts';
import { redactUrls } from '#ingest/redact/redact-urls';
import { type SourceHistoryRow, sourceHistoryTable } from '#read-model';

import { defineProjection, type ProjectedEvent } from '../runner/projection.js';

const HANDLES = [
  'SourceRegistered',
  'SourceUpdated',
  'SourceRemoved',
  'JobCompleted',
  'GenerationDropped',
] as const;
type Handled = ProjectedEvent<(typeof HANDLES)[number]>;

/**
 * Everything that ever changed what searches see of a source, a row an event: what was live at any
 * place in the log.
 */
export const sourceHistoryProjection = defineProjection({
  name: 'source_history',
  version: 4,
  table: sourceHistoryTable,
  handles: HANDLES,
  keyOf: (event) => [event.tenant_id, event.data.source_id, event.position],
  evolve: (row, event) => row ?? { ...NOTHING, ...place(event), ...said(event) },
});

const NOTHING = {
  name: null,
  kind: null,
  audience: null,
  generation: null,
  version_ref: null,
  url: null,
};

function place({ tenant_id, data, position, occurred_at }: Handled) {
  return { tenant_id, source_id: data.source_id, position, happened_at: occurred_at };
}

function said({ type, data }: Handled): Pick<SourceHistoryRow, 'fact'> & Partial<SourceHistoryRow> {
  switch (type) {
    case 'SourceRegistered':
      return {
        fact: 'registered',
        name: data.name,
        kind: kindOf(data.definition),
        audience: data.audience ?? TENANT_AUDIENCE,
      };
    case 'SourceUpdated':
      return {
        fact: 'updated',
        name: data.name ?? null,
        kind: data.definition ? kindOf(data.definition) : null,
      };
    case 'SourceRemoved':
      return { fact: 'removed' };
    case 'JobCompleted':
      return {
        fact: 'published',
        generation: data.generation,
        version_ref: data.version_ref,
        url: data.url === undefined ? null : redactUrls(data.url),
      };
    case 'GenerationDropped':
      return { fact: 'dropped', generation: data.generation };
  }
}

function kindOf({ source_type, docs_format }: SourceDefinition): PriorityKind {
  return priorityKind(source_type, docs_format);
}
