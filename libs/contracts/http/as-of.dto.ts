import { PageQuery } from './page.dto.js';
import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Timestamp } from './validation/timestamp.js';

/** A moment in the history of the tenant. Default: now. */
export class AsOfQuery {
  /** Answers as of this time, inclusive, by the `recorded_at` of the audit trail. */
  @Optional()
  @Timestamp()
  as_of?: string;

  /** Answers as of this record of the audit trail, inclusive. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  as_of_seq?: number;
}

/** A page of a list, now or at a moment in the history of the tenant. */
export class AsOfPageQuery extends PageQuery {
  /** Answers as of this time, inclusive, by the `recorded_at` of the audit trail. */
  @Optional()
  @Timestamp()
  as_of?: string;

  /** Answers as of this record of the audit trail, inclusive. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  as_of_seq?: number;
}
