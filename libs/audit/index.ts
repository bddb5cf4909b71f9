export { canonicalJson } from './canonical-json.js';
export { CompactRange } from './tree/compact-range.js';
export { ConsistencyProver } from './tree/consistency-prover.js';

export { TileTree } from './tree/tile-tree.js';
export { parseTilePath, type Tile, TILE_WIDTH, tileAt } from './tree/tile-path.js';
export { type TileContent, TileWriter } from './tree/tile-writer.js';
export { checkAuditCatalogue } from './catalogue/check-catalogue.js';
export { auditAction } from './catalogue/derive-action.js';
export { auditedData } from './leaf/audited-data.js';

export { hashLeaf, leafContent, NO_LEAF } from './leaf/leaf.js';
export {
  addSignatures,
  parseCheckpoint,
  signCheckpoint,
  verifyCheckpoint,
} from './checkpoint/checkpoint.js';
export {
  cosignText,
  formatNoteSignature,
  parseNoteSignature,
  verifyNote,
} from './checkpoint/signed-note.js';
export {
  formatAddCheckpoint,
  MAX_ADD_CHECKPOINT_BYTES,
  parseAddCheckpoint,
} from './witness/add-checkpoint.js';
export { examineCheckpoint, type WitnessedHead } from './witness/examine-checkpoint.js';
export {
  formatVerifierKey,
  type NoteKey,
  type NoteSigner,
  noteSigner,
  parseVerifierKey,
} from './checkpoint/note-key.js';

export { AuditFold } from './changes/audit-fold.js';
export { changesFields } from './changes/changing-types.js';
export type { FieldChange } from './changes/field-changes.js';
export { policyChanges } from './changes/policy-changes.js';

export {
  auditRecord,
  type AuditRecord,
  leafOf,
  OMITTABLE,
  type Omittable,
  omitFromRecord,
  type StoredEvent,
} from './record/audit-record.js';

export { type ExportManifest, manifestLine } from './export/manifest.js';
export { csvHeader, csvLine } from './export/csv.js';
export { type ManifestTerms, NdjsonEncoder } from './export/ndjson.js';
export { ocsfLine } from './export/ocsf.js';

export type { ExportReport } from './export/export-verifier.js';
export type { CheckpointTerms } from './export/known-checkpoints.js';
export { verifyExport } from './export/verify-export.js';
export { type JoinReport, verifyParts } from './export/verify-joined-export.js';
