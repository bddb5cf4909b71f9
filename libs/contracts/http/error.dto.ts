import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { ERROR_CATALOGUE, type ErrorCode } from '../errors/catalogue.js';

/** One field that failed validation. */
export class FieldProblemView {
  /** @example 'top_k' */
  field: string;
  /** @example 'must not be greater than 50' */
  message: string;
}

/** Every error of every status. */
export class ErrorView {
  /** A sentence for people. */
  error: string;
  /** Stable and documented in the error catalogue. */
  @ApiProperty({ enum: Object.keys(ERROR_CATALOGUE) })
  code: ErrorCode;
  /** On validation errors alone. */
  @ApiPropertyOptional({ type: [FieldProblemView] })
  details?: FieldProblemView[];
  /** Finds the request in logs and in the audit trail. */
  request_id: string;
}
