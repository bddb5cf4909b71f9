import type { ParseCallback } from 'web-tree-sitter';

import { cutBefore } from './tokens.js';

/**
 * Characters passed to the parser at once. The parser holds one window, which starts at its read
 * position. A scanner that looks back fills it again each time; Scala's does so before most tokens,
 * for the column. With a whole string, the runtime copies 5,119 characters for each of these reads.
 * That took most of the time for Scala; small windows do not slow down other languages.
 */
const WINDOW = 256;

/** Windows between two checks of the budget: some scanners read millions. */
const ASK_EVERY = 64;

/**
 * Returns a callback that passes `text` to the parser in small windows. No window ends inside a
 * surrogate pair; windows past the end are empty. All windows are empty once `isUsedUp` returns
 * true. Queries also read the text of a node this way, which has no other limit.
 */
export function textWindow(text: string, isUsedUp: () => boolean = () => false): ParseCallback {
  let reads = 0;
  let ended = false;
  return (index) => {
    reads += 1;
    if (!ended && reads % ASK_EVERY === 0) ended = isUsedUp();
    return ended ? '' : text.slice(index, cutBefore(text, Math.min(index + WINDOW, text.length)));
  };
}
