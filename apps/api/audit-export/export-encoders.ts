import {
  type AuditRecord,
  csvHeader,
  csvLine,
  type ManifestTerms,
  NdjsonEncoder,
  ocsfLine,
  omitFromRecord,
  type Omittable,
} from '#audit';
import type { TrailFormat } from '#contracts/http/index';

/** Encodes one export; each call returns the text that follows. */
export interface ExportEncoder {
  /** Returns the text before the first record. */
  begin(): string;
  record(record: AuditRecord): string;
  /** Encodes a record that a filter leaves out; null if the format has only records. */
  readonly leftOut: ((hash: string) => string) | null;
  /** Returns the text after the last record; null if the format has none. */
  readonly end: ((terms: ManifestTerms) => string) | null;
}

interface ExportFormat {
  readonly contentType: string;
  readonly extension: string;
  encoder(omit: readonly Omittable[]): ExportEncoder;
}

/** Formats of exports. Only NDJSON has everything that verification needs. */
export const EXPORT_FORMATS: Readonly<Record<TrailFormat, ExportFormat>> = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    encoder: (omit) => {
      const encoder = new NdjsonEncoder(omit);
      return {
        begin: () => '',
        record: (record) => encoder.record(record),
        leftOut: (hash) => encoder.leftOut(hash),
        end: (terms) => encoder.end(terms),
      };
    },
  },
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    encoder: (omit) => recordsOnly(csvHeader(), (record) => csvLine(omitFromRecord(record, omit))),
  },
  ocsf: {
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ocsf.ndjson',
    encoder: (omit) => recordsOnly('', (record) => ocsfLine(omitFromRecord(record, omit))),
  },
};

function recordsOnly(begin: string, record: (record: AuditRecord) => string): ExportEncoder {
  return { begin: () => begin, record, leftOut: null, end: null };
}
