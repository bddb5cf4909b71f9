import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';

export class BeginSignInQuery {
  /** Path of this service that the browser goes to afterwards. */
  @Optional()
  @Text({ max: 512 })
  return_to?: string;
}
