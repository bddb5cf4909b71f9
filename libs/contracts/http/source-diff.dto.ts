import { ApiProperty } from '@nestjs/swagger';

import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';

/** Changes of a file or symbol between two generations. */
const DIFF_CHANGES = ['added', 'changed', 'removed'] as const;
export type DiffChange = (typeof DIFF_CHANGES)[number];

export class SourceDiffQuery {
  /** First generation; it must still be kept. */
  @QueryWholeNumber(1, 2_147_483_647)
  from: number;

  /** Second generation. Default: the live one. */
  @Optional()
  @QueryWholeNumber(1, 2_147_483_647)
  to?: number;

  /** Number of files to skip at the start. */
  @Optional()
  @QueryWholeNumber(0, 999_999_999)
  skip: number = 0;

  /** Maximum number of files. */
  @Optional()
  @QueryWholeNumber(1, 50)
  limit: number = 20;
}

export class SymbolDiffView {
  /** `Class.method`, a heading trail or an operation id. */
  symbol: string;
  @ApiProperty({ enum: [...DIFF_CHANGES] })
  change: DiffChange;
}

export class FileDiffView {
  path: string;
  @ApiProperty({ enum: [...DIFF_CHANGES] })
  change: DiffChange;
  /** Symbols of the file that differ, at most 200. */
  @ApiProperty({ type: [SymbolDiffView] })
  symbols: readonly SymbolDiffView[];
  /** True if more symbols differ. */
  truncated: boolean;
}

/** Files and symbols that differ between two generations of a source. */
export class SourceDiffView {
  @ApiProperty({ type: 'integer' })
  from: number;
  @ApiProperty({ type: 'integer' })
  to: number;
  /** Number of files that only the second generation has. */
  @ApiProperty({ type: 'integer' })
  added: number;
  /** Number of files with other content. */
  @ApiProperty({ type: 'integer' })
  changed: number;
  /** Number of files that only the first generation has. */
  @ApiProperty({ type: 'integer' })
  removed: number;
  /** A page of the files: those of the second generation in its order, then removed ones. */
  @ApiProperty({ type: [FileDiffView] })
  files: readonly FileDiffView[];
}
