import { ApiProperty } from '@nestjs/swagger';

import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';

/** A page of signed checkpoints, the newest first. */
export class ListCheckpointsQuery {
  /** Only checkpoints of smaller trees. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  before?: number;

  /** Maximum number of checkpoints to return. */
  @Optional()
  @QueryWholeNumber(1, 100)
  limit: number = 50;
}

/** A signed head of the tenant's tree. */
export class CheckpointView {
  /** Number of records. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  size: number;
  /** Root of the tree of this size, hex. */
  root: string;
  @ApiProperty({ format: 'date-time' })
  signed_at: string;
  /** Id of the key that signed, eight hex digits. */
  key_id: string;
  /** Signed note (C2SP `tlog-checkpoint`). */
  checkpoint: string;
}

export class CheckpointList {
  @ApiProperty({ type: [CheckpointView] })
  checkpoints: readonly CheckpointView[];
  /** The `before` of the next page; null at the end. */
  @ApiProperty({ type: 'integer', nullable: true })
  next: number | null;
}

/** A public key that verifies checkpoints of the tenant. */
export class AuditKeyView {
  /** Eight hex digits. */
  id: string;
  /** Key for verifiers, `<origin>+<id>+<base64>`. */
  key: string;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  /** True for the key that signs now. */
  current: boolean;
}

export class AuditKeyList {
  @ApiProperty({ type: [AuditKeyView] })
  keys: readonly AuditKeyView[];
}

export class AuditProofQuery {
  /** The record to prove. */
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  seq: number;

  /** Size of the tree, such as that of a checkpoint. Default: all records. */
  @Optional()
  @QueryWholeNumber(1, Number.MAX_SAFE_INTEGER)
  size?: number;
}

/** Inclusion proof of RFC 9162, section 2.1.3. */
export class AuditProofView {
  @ApiProperty({ type: 'integer' })
  seq: number;
  @ApiProperty({ type: 'integer' })
  size: number;
  /** Hash of the record, hex. */
  leaf: string;
  /** Root of the tree, hex. */
  root: string;
  /** Hashes from the leaf to the root, hex. */
  @ApiProperty({ type: [String] })
  proof: readonly string[];
}

export class AuditConsistencyQuery {
  /** Size of the smaller tree. */
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  from: number;

  /** Size of the larger tree. Default: all records. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  to?: number;
}

/** Consistency proof of RFC 9162, section 2.1.4. */
export class AuditConsistencyView {
  @ApiProperty({ type: 'integer' })
  from: number;
  @ApiProperty({ type: 'integer' })
  to: number;
  /** Root of the smaller tree, hex. */
  from_root: string;
  /** Root of the larger tree, hex. */
  to_root: string;
  @ApiProperty({ type: [String] })
  proof: readonly string[];
}

export class VerifyTrailQuery {
  /** First record to check. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  from_seq: number = 0;

  /** Last record to check. Default: the newest. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  to_seq?: number;
}

export class VerifyCheckpointBody {
  /** A checkpoint that the caller kept. */
  @Text({ max: 4_096 })
  checkpoint: string;
}

/** Reasons why a record or checkpoint does not verify. */
const BREAK_KINDS = [
  'seq',
  'event',
  'hash',
  'record',
  'subtree',
  'checkpoint',
  'signature',
  'truncated',
] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

export class TrailBreakView {
  @ApiProperty({ type: 'integer', minimum: 0 })
  seq: number;
  @ApiProperty({ enum: [...BREAK_KINDS] })
  kind: BreakKind;
}

/** Confirmations of the newest checkpoint from outside. */
export class WitnessedView {
  /** Number of configured witnesses that cosigned it. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  cosigned: number;
  /** Number of configured witnesses; with none, a rewritten log can pass every check. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  of: number;
}

/** Result of a check of the trail against log and checkpoints. */
export class TrailVerification {
  valid: boolean;
  /** Number of records that this request checked. */
  @ApiProperty({ type: 'integer' })
  checked: number;
  /** The newest record; null for an empty trail. */
  @ApiProperty({ type: 'integer', nullable: true })
  head_seq: number | null;
  /** Root of the whole tree, hex; null if records of it are missing. */
  @ApiProperty({ type: String, nullable: true })
  head_hash: string | null;
  @ApiProperty({ type: TrailBreakView, nullable: true })
  first_break: TrailBreakView | null;
  /** The `from_seq` of the next request; null if nothing is left. */
  @ApiProperty({ type: 'integer', nullable: true })
  continue_from: number | null;
  @ApiProperty({ type: WitnessedView })
  witnessed: WitnessedView;
}

/** Result of the check of one checkpoint. */
export class CheckpointVerification {
  valid: boolean;
  /** Size of the checkpoint; null if the text has none. */
  @ApiProperty({ type: 'integer', nullable: true })
  size: number | null;
  /** Why it does not verify; null if it does. */
  @ApiProperty({ enum: [...BREAK_KINDS], nullable: true })
  kind: BreakKind | null;
}
