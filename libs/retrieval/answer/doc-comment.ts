/** A line that is only a comment, in the languages that are cut by syntax. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\[|!|include|define|if|endif|pragma)|--|;;|%%|"""|''')/;
/**
 * Signs before and after the words of a comment; separate, so that neither is searched for after
 * the other.
 */
const OPENING = /^\s*(?:\/\/[/!]?|\/\*+!?|\*+(?!\/)|#+|--\s?[|!]?|;+|%+|"""|''')?\s?/;
const CLOSING = /(?:(?<!\*)\*+\/|"""|''')$/;
const DOCSTRING = /^\s*(?:"""|''')/;
const DOCSTRING_ENDS = /(?:"""|''')\s*$/;
/** Tags and rules of a comment have no meaning of their own. */
const TAG = /^\s*(?:[@\\:]\w+|-{3,}|={3,}|\.\. )/;
/** First words of the notice at the head of a file, which documents nothing. */
const LEGAL_NOTICE = /^(?:copyright\b|\(c\)|©|spdx-license-identifier\b|licensed (?:to|under)\b)/i;
/** Lines of a signature after which the search for a docstring ends. */
const SIGNATURE_LINES = 6;

/** Documentation within a passage of code. */
export interface DocComment {
  /**
   * Words without the signs around them, up to the first tag, as one paragraph. Empty where there
   * are none, and for a notice of copyright or license.
   */
  readonly text: string;
  /** Index of the first line that is not a comment: the definition, or the end of the passage. */
  readonly definition: number;
}

/**
 * Returns the comment before the first definition of a passage, or the docstring right after it.
 */
export function docComment(lines: readonly string[]): DocComment {
  const begin = lines.findIndex((line) => line.trim() !== '');
  let end = Math.max(0, begin);
  if (DOCSTRING.test(lines[end] ?? '')) end = docstringEnd(lines, end);
  else while (end < lines.length && COMMENT.test(lines[end] ?? '')) end += 1;
  if (end > begin && begin >= 0) return { text: wordsOf(lines.slice(begin, end)), definition: end };
  return { text: docstringAfter(lines, end), definition: end };
}

/** Returns the words of a line that is only a comment; empty for any other. */
export function commentWords(line: string): string {
  return COMMENT.test(line) ? wordsOf([line]) : '';
}

function docstringAfter(lines: readonly string[], definition: number): string {
  for (
    let at = definition + 1;
    at < Math.min(lines.length, definition + SIGNATURE_LINES);
    at += 1
  ) {
    if (DOCSTRING.test(lines[at] ?? '')) return wordsOf(lines.slice(at, docstringEnd(lines, at)));
    if (/[:{]\s*$/.test(lines[at] ?? '')) continue;
    if (!/[:,(]\s*$/.test(lines[at - 1] ?? '')) return '';
  }
  return '';
}

/** Returns the index after the last line of the docstring that begins at `at`. */
function docstringEnd(lines: readonly string[], at: number): number {
  const first = (lines[at] ?? '').trim();
  if (first.length > 3 && DOCSTRING_ENDS.test(first.slice(3))) return at + 1;
  const last = lines.findIndex((line, index) => index > at && DOCSTRING_ENDS.test(line));
  return last === -1 ? at + 1 : last + 1;
}

function wordsOf(lines: readonly string[]): string {
  const words: string[] = [];
  for (const line of lines) {
    const text = line.replace(OPENING, '').trimEnd().replace(CLOSING, '').trim();
    if (TAG.test(text)) break;
    if (text === '' && words.length > 0) break;
    if (text !== '') words.push(text);
  }
  const text = words.join(' ');
  return LEGAL_NOTICE.test(text) ? '' : text;
}
