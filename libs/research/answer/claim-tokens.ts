import type { ResearchPassage } from '../plan/action.types.js';

const NUMBER = /(?<![\w.])\d[\d_,]*(?:\.\d+)*(?![\w])/g;
const WORD_WITH_DIGIT = /(?<![\w$])[A-Za-z_$][$A-Z_a-z]{0,60}\d[\w$]*/g;
const CODE_SPAN = /`{1,3}([^`\n]{1,400})`{1,3}/g;
const SIGNED = /(?<![\w@./:-])[\w@.$-]{0,80}\w(?:(?:[/.:#]{1,2}|->)[\w$@-]+)+/g;
const HUMPED =
  /(?<![\w$])(?:[a-z$_]{1,60}[A-Z][\w$]*|[A-Z][a-z0-9]+[A-Z][\w$]*|[A-Z]{2}[\w$]*|\w[\dA-Za-z]*_[\w$]*|_\w+)(?![\w$])/g;
const HEX = /(?<![\w])[0-9a-f]{7,64}(?![\w])/g;
const NAMED_CALL = /(?<![\w$])[A-Za-z_$][\w$]*(?=\()/g;
/** Upper-case words that are prose. */
const PROSE: ReadonlySet<string> = new Set([
  'HTTP',
  'HTTPS',
  'API',
  'URL',
  'JSON',
  'XML',
  'HTML',
  'CSS',
  'TCP',
  'UDP',
  'TLS',
  'SSL',
  'SQL',
  'CPU',
  'ID',
  'UTF',
  'ASCII',
  'AND',
  'OR',
  'NOT',
  'CLI',
  'IO',
  'OK',
  'TODO',
]);

/** Returns the numbers and identifiers of a claim: a reader would look them up. */
export function claimTokens(text: string): string[] {
  const spans = Array.from(text.matchAll(CODE_SPAN), ([, span = '']) => span);
  const found = [
    ...spans.flatMap((span) => span.match(/[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*/gu) ?? []),
    ...[NUMBER, WORD_WITH_DIGIT, SIGNED, HUMPED, HEX, NAMED_CALL].flatMap(
      (pattern) => text.match(pattern) ?? [],
    ),
  ];
  const tokens = found.map((token) => token.replace(/^[.,:-]+|(?<![.,:;-])[.,:;-]+$/g, ''));
  return [...new Set(tokens)].filter((token) => token !== '' && !PROSE.has(token));
}

/** Returns whether one of the passages has a token as a whole word, or as its own place. */
export function isInPassages(token: string, passages: readonly ResearchPassage[]): boolean {
  return passages.some(({ repo, result: { content, citation } }) => {
    const { path, symbol = '', start_line, end_line, version_ref } = citation;
    if (token === String(start_line) || token === String(end_line)) return true;
    if (/^[0-9a-f]{7,64}$/.test(token) && version_ref.startsWith(token)) return true;
    return [content, path, symbol, repo].some((text) => hasWhole(text, token));
  });
}

/** Returns whether a text has a token that no letter, digit or sign of a number continues. */
function hasWhole(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    const before = text[at - 1] ?? '';
    const after = text.slice(at + token.length, at + token.length + 2);
    const isNumber = /^\d/.test(token);
    const begins = !/[\w$]/.test(before) && !(isNumber && before === '.');
    const ends = !/^[\w$]/.test(after) && !(/\d$/.test(token) && /^[.,_]\d/.test(after));
    if (begins && ends) return true;
  }
  return false;
}
