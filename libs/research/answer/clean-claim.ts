import { visibleText } from '#retrieval';

const LINK = /!?\[([^\][]{0,500})\](?:\([^()\s]{0,2000}(?:\s+"[^"]{0,200}")?\)|\[[^\][]{0,200}\])/g;
const DEFINITION = /^[ \t]*\[[^\][]{1,200}\]:[^\n]*$/gm;
const ADDRESS =
  /\b(?:https?|ftp|file|javascript|data|mailto|vbscript):[^\s<>"')\]]{1,2000}|\bwww\.[^\s<>"')\]]{1,2000}/gi;
const ELEMENT = /<(?=[/!?a-z])/gi;
const MARK = /\[\s*\d[\d\s,]*\]/g;
const MOST_CHARACTERS = 2_000;

/**
 * Returns a model's words as Markdown that links nowhere and loads nothing: without hidden
 * characters, links, addresses, elements and citation marks. The answer adds its own marks.
 */
export function cleanClaim(text: string): string {
  return visibleText(text)
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
    .replace(DEFINITION, '')
    .replace(LINK, '$1')
    .replace(ADDRESS, '')
    .replace(MARK, '')
    .replace(ELEMENT, '\\<')
    .replace(/`{3,}/g, '`')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?])/g, '')
    .trim();
}
