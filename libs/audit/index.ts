export { canonicalJson, jsonSha256 } from './canonical-json.js';
export { CompactRange } from './tree/compact-range.js';
export { emptyRoot, HASH_BYTES, leafHash, nodeHash } from './tree/hashing.js';
export { parseTilePath, type Tile, TILE_WIDTH, tileAt, tilePath } from './tree/tile-path.js';
export { type TileReader, TileTree } from './tree/tile-tree.js';
export { type TileContent, TileWriter } from './tree/tile-writer.js';
export {
  type ConsistencyClaim,
  type InclusionClaim,
  verifyConsistency,
  verifyInclusion,
} from './tree/verify-proof.js';
export {
  AUDIT_CATEGORIES,
  AUDIT_OUTCOMES,
  type AuditAction,
  type AuditCategory,
  type AuditOutcome,
  type AuditTarget,
} from './catalogue/audit-action.js';
export { checkAuditCatalogue } from './catalogue/check-catalogue.js';
export { auditAction, auditTargets } from './catalogue/derive-action.js';
export { auditedData } from './leaf/audited-data.js';
export { hashLeaf, type Leaf, leafContent, MAX_LEAF_BYTES, NO_LEAF } from './leaf/leaf.js';
export {
  addSignatures,
  checkpointText,
  type ParsedCheckpoint,
  parseCheckpoint,
  signCheckpoint,
  type TreeHead,
  type VerifiedCheckpoint,
  verifyCheckpoint,
} from './checkpoint/checkpoint.js';
export {
  formatVerifierKey,
  noteKey,
  type NoteKey,
  noteSigner,
  type NoteSigner,
  parseVerifierKey,
} from './checkpoint/note-key.js';
export { cosignText, type NoteSignature, parseNote, signText } from './checkpoint/signed-note.js';
export { AuditFold, DEFAULT_FOLDED_STREAMS } from './changes/audit-fold.js';
export type { FieldChange } from './changes/field-changes.js';
export {
  auditRecord,
  type AuditRecord,
  leafOf,
  OMITTABLE,
  type Omittable,
  omitFromRecord,
  type PartialRecord,
  type RecordPlace,
  type StoredEvent,
} from './record/audit-record.js';
export { readRecord } from './record/read-record.js';
export { type RecordProblem, verifyRecord } from './record/verify-record.js';
export { csvHeader, csvLine } from './export/csv.js';
export type { BreakKind, ExportReport, FirstBreak } from './export/export-verifier.js';
export { ExportVerifier } from './export/export-verifier.js';
export type { CheckpointTerms } from './export/known-checkpoints.js';
export { EXPORT_FORMAT, type ExportManifest, manifestLine } from './export/manifest.js';
export { type ManifestTerms, NdjsonEncoder } from './export/ndjson.js';
export { ocsfLine } from './export/ocsf.js';
export { verifyExport } from './export/verify-export.js';
