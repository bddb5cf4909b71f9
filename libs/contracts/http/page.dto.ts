import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';

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
