import type { ParseCallback } from 'web-tree-sitter';

import { cutBefore } from './tokens.js';

/**
 * Characters handed to the parser at once. It holds one window, which begins where it reads; a
 * scanner that looks back (Scala's does before most tokens, for the column) has it filled anew each
 * time. Handed a whole string, the runtime copies 5,119 characters for every such glance, which
 * took most of the time for Scala; small ones cost others nothing.
 */
const WINDOW = 256;

/** Windows between two questions whether to go on: some scanners read millions. */
const ASK_EVERY = 64;

/**
 * Gives the parser `text` in small windows. None ends inside of a surrogate pair; past the end it
 * is empty. So are all once `isUsedUp` returns true: the text of a node, which a query compares, is
 * read this way too and has no other limit.
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
