import { ApiProperty } from '@nestjs/swagger';

import { SCIP_NAME } from '../content/scip-upload.js';
import { ACTOR_TYPES } from './audit.dto.js';
import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';

/** The version that a SCIP index was made for, and its place among those of the source. */
export class ScipUploadQuery {
  /** Version of the source that was indexed: of a repository, the commit. It must be kept. */
  @Text({ max: 512 })
  @ApiProperty({ example: '1eb7644349c4dd1b3e9bb1d2f4b0d1b1a2b3c4d5' })
  version_ref: string;

  /** Distinguishes the indexes of one source, such as one for each language or project. */
  @Optional()
  @Text({ max: 64 })
  @ApiProperty({ example: 'typescript', pattern: SCIP_NAME.source })
  name: string = 'default';

  /** Folder of the source that the paths of the index begin in. Default: its root. */
  @Optional()
  @Text({ max: 4096 })
  @ApiProperty({ example: 'packages/core' })
  root?: string;
}

/** The SCIP index to remove. */
export class ScipRemovalQuery {
  /** Name of the index. Default: all indexes of the source. */
  @Optional()
  @Text({ max: 64 })
  @ApiProperty({ example: 'typescript', pattern: SCIP_NAME.source })
  name?: string;
}

/** Documents of an index that are not used, by reason. */
export class ScipLeftOut {
  /** The version has no such file, or did not index it. */
  @ApiProperty({ type: 'integer' })
  unknown_file: number;
  /** The text in the index is not that of the version. */
  @ApiProperty({ type: 'integer' })
  other_text: number;
  /** An earlier document has the same path. */
  @ApiProperty({ type: 'integer' })
  repeated: number;
}

/** A SCIP index as it is used. */
export class ScipUploadView {
  source_id: string;
  name: string;
  /** Version of the source that was indexed. */
  version_ref: string;
  /** Generation of that version. */
  @ApiProperty({ type: 'integer' })
  generation: number;
  /** Number of documents that are used. */
  @ApiProperty({ type: 'integer' })
  documents: number;
  /** Number of these whose files are unchanged in the live version. */
  @ApiProperty({ type: 'integer' })
  current_documents: number;
  @ApiProperty({ type: 'integer' })
  occurrences: number;
  @ApiProperty({ type: 'integer' })
  symbols: number;
  left_out: ScipLeftOut;
}

/** The actor that uploaded a SCIP index. */
export class ScipUploader {
  @ApiProperty({ enum: [...ACTOR_TYPES] })
  type: string;
  id: string;
}

/** A SCIP index that is used. */
export class ScipIndexView {
  name: string;
  /** Version of the source that was indexed. */
  version_ref: string;
  /** Generation of that version. */
  @ApiProperty({ type: 'integer' })
  generation: number;
  /** Number of files that the index has. */
  @ApiProperty({ type: 'integer' })
  documents: number;
  /**
   * Number of these that are unchanged in the live version; the index applies to them. Null if the
   * index or the list of live files is missing.
   */
  @ApiProperty({ type: 'integer', nullable: true })
  current_documents: number | null;
  @ApiProperty({ type: 'integer' })
  occurrences: number;
  @ApiProperty({ type: 'integer' })
  symbols: number;
  /** Documents that are not used; null for an index that an early release received. */
  @ApiProperty({ type: ScipLeftOut, nullable: true })
  left_out: ScipLeftOut | null;
  /** Size as it is stored, in bytes. */
  @ApiProperty({ type: 'integer' })
  stored_bytes: number;
  @ApiProperty({ format: 'date-time' })
  uploaded_at: string;
  uploaded_by: ScipUploader;
}

/** The SCIP indexes of a source, by name; at most 16. */
export class ScipIndexList {
  source_id: string;
  indexes: ScipIndexView[];
}
