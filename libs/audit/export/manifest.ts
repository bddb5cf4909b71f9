import { canonicalJson, jsonSha256 } from '../canonical-json.js';
import { OMITTABLE, type Omittable } from '../record/audit-record.js';

/** Format of exports that this version writes and verifies. */
export const EXPORT_FORMAT = 'footnote-audit-export/1';

/** The last line of an export: statements about the lines before it. */
export interface ExportManifest {
  readonly format: typeof EXPORT_FORMAT;
  readonly tenant_id: string;
  /** The filters of the request by name; empty for a complete export. */
  readonly filters: Readonly<Record<string, string>>;
  readonly omit: readonly Omittable[];
  /** Records in the export. */
  readonly records: number;
  /** Leaves of the tree: records, and those that are there as hashes. */
  readonly size: number;
  /** Root of the tree at that size, hex. */
  readonly root: string;
  /** SHA-256 of all lines before, line feeds included, hex. */
  readonly content_sha256: string;
  /** A signed checkpoint of the tree, of this size or smaller; null without one. */
  readonly checkpoint: string | null;
  /** Consistency proof from the checkpoint's size to this one, hex. */
  readonly consistency: readonly string[];
}

/** Returns the last line of an export, without its line feed. */
export function manifestLine(manifest: ExportManifest): string {
  return canonicalJson({ manifest, manifest_sha256: jsonSha256(manifest) });
}

/** Reports whether a line is a manifest, or tries to be one. */
export function isManifestLine(line: string): boolean {
  return line.startsWith('{"manifest"');
}

/** Returns the manifest of a line, or null unless {@link manifestLine} returns the same text. */
export function parseManifest(line: string): ExportManifest | null {
  const value = parse(line);
  if (!isObject(value) || !isObject(value['manifest'])) return null;
  const manifest = value['manifest'];
  return isManifest(manifest) && manifestLine(manifest) === line ? manifest : null;
}

function isManifest(value: object): value is ExportManifest {
  const { format, tenant_id, filters, omit, records, size, root, content_sha256, ...rest } =
    value as Partial<ExportManifest>;
  const { checkpoint, consistency, ...unknown } = rest;
  return (
    Object.keys(unknown).length === 0 &&
    format === EXPORT_FORMAT &&
    typeof tenant_id === 'string' &&
    isObject(filters) &&
    isList(omit, (name) => OMITTABLE.includes(name as Omittable)) &&
    [records, size].every((count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
    [root, content_sha256].every(isHash) &&
    (checkpoint === null || typeof checkpoint === 'string') &&
    isList(consistency, isHash)
  );
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
