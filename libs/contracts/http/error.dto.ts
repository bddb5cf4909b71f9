import { ApiPropertyOptional } from '@nestjs/swagger';

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
  code: string;
  /** On validation errors alone. */
  @ApiPropertyOptional({ type: [FieldProblemView] })
  details?: FieldProblemView[];
  /** Finds the request in logs and in the audit trail. */
  request_id: string;
}
