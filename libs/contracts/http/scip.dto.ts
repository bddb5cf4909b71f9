import { ApiProperty } from '@nestjs/swagger';

import { SCIP_NAME } from '../content/scip-upload.js';
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
