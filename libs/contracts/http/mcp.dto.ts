import { ChoiceList, CommaSeparated } from './validation/list.js';
import { Optional } from './validation/rule.js';
import { Choice } from './validation/text.js';

/** Further sets of tools that an agent can ask for. */
const FURTHER_TOOLS = ['manage', 'audit'] as const;

export class McpQuery {
  /**
   * Comma-separated: sets of tools in addition to the default. `manage` adds and syncs sources;
   * `audit` reads the trail and receipts.
   */
  @Optional()
  @CommaSeparated()
  @ChoiceList(...FURTHER_TOOLS)
  tools?: (typeof FURTHER_TOOLS)[number][];

  /** `structured` returns results as data for programs instead of text. */
  @Optional()
  @Choice('text', 'structured')
  output: 'text' | 'structured' = 'text';
}
