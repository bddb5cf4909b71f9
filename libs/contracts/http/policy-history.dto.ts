import { ApiProperty } from '@nestjs/swagger';

import { AuditChangeView } from './audit.dto.js';
import { PolicyView } from './policy.dto.js';
import { QueryWholeNumber, WholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Timestamp } from './validation/timestamp.js';

/** Two moments in the history of the tenant, each named in one of two ways. */
export class PolicyDiffQuery {
  /** The first moment, inclusive, by the `recorded_at` of the audit trail. */
  @Optional()
  @Timestamp()
  from?: string;

  /** The first moment as a record of the audit trail, inclusive. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  from_seq?: number;

  /** The second moment, inclusive. Default: now. */
  @Optional()
  @Timestamp()
  to?: string;

  /** The second moment as a record of the audit trail, inclusive. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  to_seq?: number;
}

/** Settings that differ between two moments. */
export class PolicyDiffView {
  /** Record of the audit trail that the first moment is. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  from_seq: number;
  /** Record of the audit trail that the second moment is. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  to_seq: number;
  @ApiProperty({ type: [AuditChangeView] })
  changes: readonly AuditChangeView[];
}

export class RollbackPolicyBody {
  /** Revision of the policy to restore, as `GET /policy/history` shows it. */
  @WholeNumber(0, Number.MAX_SAFE_INTEGER)
  revision: number;
}

/** Result of a rollback. */
export class PolicyRollbackView {
  /** False if the policy already had these settings; no event is added then. */
  changed: boolean;
  /** Settings that the rollback changed. */
  @ApiProperty({ type: [AuditChangeView] })
  changes: readonly AuditChangeView[];
  policy: PolicyView;
}
