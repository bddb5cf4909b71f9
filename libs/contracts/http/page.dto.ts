import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Choice } from './validation/text.js';

/** The part of a list to return; lists are newest first. */
export class PageQuery {
  /** Number of entries to skip at the start. */
  @Optional()
  @QueryWholeNumber(0, 999_999_999)
  skip: number = 0;

  /** Maximum number of entries. */
  @Optional()
  @QueryWholeNumber(1, 100)
  limit: number = 50;
}

/** The part of a list of the audit trail to return. */
export class SeqPageQuery {
  /** Returns entries past this `seq`, in the order of the answer. Default: from the first. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  after?: number;

  /** Maximum number of entries to return. */
  @Optional()
  @QueryWholeNumber(1, 100)
  limit: number = 50;
}

/** The part of a list that has either order. */
export class OrderedSeqPageQuery extends SeqPageQuery {
  /** `desc` returns the newest first. */
  @Optional()
  @Choice('asc', 'desc')
  order: 'asc' | 'desc' = 'desc';
}
