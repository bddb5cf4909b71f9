import { ApiProperty } from '@nestjs/swagger';

import { AuditFilterQuery } from './audit.dto.js';
import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Choice, Text } from './validation/text.js';

/** Formats of exports of the audit trail. */
const TRAIL_FORMATS = ['ndjson', 'csv', 'ocsf'] as const;
export type TrailFormat = (typeof TRAIL_FORMATS)[number];

/** An export of the audit trail; all conditions must hold. */
export class ExportTrailQuery extends AuditFilterQuery {
  /** `ndjson` can be verified; `csv` is for spreadsheets, `ocsf` for security monitoring. */
  @Optional()
  @Choice(...TRAIL_FORMATS)
  format: TrailFormat = 'ndjson';

  /** Members that every record goes without: `data`, `context` or both, separated by a comma. */
  @Optional()
  @Text({ max: 100 })
  @ApiProperty({ example: 'data,context' })
  omit?: string;

  /** Only records past this `seq`: continues an export that ended early. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  after?: number;
}
