import type { ParseCallback } from 'web-tree-sitter';

import { cutBefore } from './tokens.js';

/**
 * Characters handed to the parser at once. It holds one window, which begins where it reads; a scanner that looks back
 * (Scala's does before most tokens, for the column) has it filled anew each time. Handed a whole string, the runtime
 * copies 5,119 characters for every such glance, which took most of the time for Scala; small ones cost others nothing.
 */
const WINDOW = 256;

/** Gives the parser `text` in small windows. None ends inside of a surrogate pair; past the end it is empty. */
export function textWindow(text: string): ParseCallback {
  return (index) => text.slice(index, cutBefore(text, Math.min(index + WINDOW, text.length)));
}
