import { quotableText } from '#retrieval';

const BRACKET = /(?<!\\)\[/g;
const ELEMENT = /(?<!\\)<(?=[/!?a-z])/gi;
const SCHEME = /\b(https?|ftp|mailto):/gi;
const HOST = /\bwww\./gi;

/**
 * Returns words of a passage as Markdown without links and elements. Brackets and addresses stay
 * readable, but no reader of Markdown makes a link of them.
 */
export function quotedWords(words: string): string {
  return quotableText(words)
    .replace(BRACKET, '\\[')
    .replace(ELEMENT, '\\<')
    .replace(SCHEME, '$1\\:')
    .replace(HOST, (host) => host.replace('.', '\\.'));
}
