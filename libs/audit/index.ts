export { canonicalJson } from './canonical-json.js';
export { CompactRange } from './tree/compact-range.js';

export { TileTree } from './tree/tile-tree.js';
export { TileWriter } from './tree/tile-writer.js';

export { hashLeaf, NO_LEAF } from './leaf/leaf.js';
export { signCheckpoint } from './checkpoint/checkpoint.js';
export { noteSigner } from './checkpoint/note-key.js';

export { AuditFold } from './changes/audit-fold.js';

export {
  auditRecord,
  type AuditRecord,
  leafOf,
  type Omittable,
  type StoredEvent,
} from './record/audit-record.js';

export { type ExportManifest, manifestLine } from './export/manifest.js';
export { NdjsonEncoder } from './export/ndjson.js';

export { verifyExport } from './export/verify-export.js';
