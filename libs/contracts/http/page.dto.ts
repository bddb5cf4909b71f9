import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';

/** Which part of a list to return; lists are newest first. */
export class PageQuery {
  /** How many to leave out at the start. */
  @Optional()
  @QueryWholeNumber(0, 999_999_999)
  skip: number = 0;

  /** How many to return at most. */
  @Optional()
  @QueryWholeNumber(1, 100)
  limit: number = 50;
}
