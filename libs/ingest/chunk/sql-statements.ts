import type { FoundName } from './definitions.js';
import type { LineSpan, Span } from './limits.js';
import { CHUNK_LIMITS } from './limits.js';
import { isBlankBetween, type LineTable } from './line-table.js';
import { SpanCollector } from './span-collector.js';

/**
 * Cuts SQL by statements, without a grammar: none is packaged for this runtime, and dialects differ
 * more than one grammar allows. Recognizes quotes, comments, dollar quotes, `BEGIN … END` bodies of
 * routines, T-SQL's `GO` and MySQL's `DELIMITER`. A statement is a definition if it creates
 * something.
 */
export function sqlStatements(lines: LineTable): {
  readonly spans: LineSpan[];
  readonly names: FoundName[];
} {
  const collector = new SpanCollector(lines);
  const names: FoundName[] = [];
  for (const span of statements(lines.text)) {
    if (isBlankBetween(lines.text, span.start, span.end)) continue;
    if (span.end - span.start <= CHUNK_LIMITS.targetCharacters) collector.add(span.start, span.end);
    else collector.addLarge(span.start, span.end);
    const name = createdBy(lines.text, span);
    if (name !== undefined) names.push(name);
  }
  return { spans: collector.toLineSpans(), names };
}

/**
 * Quotes and comments that can hide a `;`, words that open and close bodies, and statement ends.
 */
const TOKEN =
  /--[^\n]*|\/\*|['"`]|\$(?:[A-Za-z_]\w*)?\$|^[ \t]*(?:GO|DELIMITER[ \t]+\S+)[ \t]*\r?$|[A-Za-z_][\w$]*|;/gim;

const ROUTINE =
  /^\s*CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:\w+\s*=\s*\S+\s+)?(?:FUNCTION|PROC(?:EDURE)?|TRIGGER|PACKAGE|EVENT)\b/i;

function* statements(text: string): Generator<Span> {
  const closing = new ClosingMarks(text);
  const token = new RegExp(TOKEN.source, TOKEN.flags);
  let start = 0;
  let depth = 0;
  let routine: boolean | undefined;
  let previous = '';
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const word = match[0].trim().toUpperCase();
    if (word.startsWith('--')) continue;
    if (/^(?:\/\*|['"`$])/.test(word)) {
      token.lastIndex = closing.after(match[0], token.lastIndex);
    } else if (word === 'GO' || word.startsWith('DELIMITER ') || word.startsWith('DELIMITER\t')) {
      yield { start, end: token.lastIndex };
      [start, depth, routine] = [token.lastIndex, 0, undefined];
    } else if (word === ';') {
      if (depth > 0) continue;
      yield { start, end: token.lastIndex };
      [start, routine] = [token.lastIndex, undefined];
    } else {
      routine ??= isRoutine(text, match.index);
      if (routine) depth = Math.max(0, depth + opens(word, previous));
    }
    previous = word;
  }
  yield { start, end: text.length };
}

/** Finder of the ends of quotes and comments. An unclosed mark counts as an ordinary character. */
class ClosingMarks {
  /**
   * True for MySQL (text with backticks), which quotes names with backticks and escapes with
   * backslashes. In other dialects `'C:\'` is a complete string.
   */
  private readonly backslashes: boolean;
  /**
   * Number of searches that reached the end without a match. After a limit no further search runs,
   * so that time stays linear.
   */
  private failures = 0;

  constructor(private readonly text: string) {
    this.backslashes = text.includes('`');
  }

  /**
   * Finds the closing mark. @returns the offset after the mark that closes `open`, or `from` if
   * there is none.
   */
  after(open: string, from: number): number {
    if (this.failures > 100) return from;
    const close = open === '/*' ? '*/' : open;
    let at = this.text.indexOf(close, from);
    if (open === "'")
      while (at !== -1 && this.isEscaped(at))
        at = this.text.indexOf(close, at + (this.doubled(at) ? 2 : 1));
    if (at !== -1) return at + close.length;
    this.failures += 1;
    return from;
  }

  private isEscaped(at: number): boolean {
    return (
      this.doubled(at) ||
      (this.backslashes && this.text[at - 1] === '\\' && this.text[at - 2] !== '\\')
    );
  }

  private doubled(at: number): boolean {
    return this.text[at + 1] === "'";
  }
}

/** Returns true for a routine, from the text at the statement's first word. */
function isRoutine(text: string, at: number): boolean {
  return ROUTINE.test(text.slice(at, at + 300));
}

/** Returns the change in depth. `END IF` and similar words close an `IF`, which does not count. */
function opens(word: string, previous: string): number {
  if (word === 'BEGIN') return 1;
  if (word === 'CASE') return previous === 'END' ? 0 : 1;
  if (word === 'END') return -1;
  return previous === 'END' && /^(?:IF|LOOP|WHILE|REPEAT|FOR)$/.test(word) ? 1 : 0;
}

const NAME = String.raw`(?:"[^"\n]{1,500}"|\x60[^\x60\n]{1,500}\x60|\[[^\]\n]{1,500}\]|[\p{L}_#@][\p{L}\p{N}_$#@]*)`;
const CREATED = new RegExp(
  String.raw`^\s*CREATE\s+(?:(?:OR|REPLACE|ALTER|TEMP|TEMPORARY|GLOBAL|LOCAL|UNLOGGED|UNIQUE|CLUSTERED|NONCLUSTERED|MATERIALIZED|RECURSIVE|VIRTUAL|EXTERNAL|FOREIGN|CONSTRAINT|EDITIONABLE|DEFINER\s*=\s*\S+)\s+)*` +
    String.raw`(?:TABLE|VIEW|FUNCTION|PROCEDURE|PROC|TRIGGER|INDEX|TYPE|SCHEMA|SEQUENCE|DOMAIN|DATABASE|POLICY|RULE|AGGREGATE|PACKAGE(?:\s+BODY)?|ROLE|USER|EXTENSION|EVENT|SYNONYM|MACRO)\s+` +
    String.raw`(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(${NAME}(?:\s*\.\s*${NAME}){0,3})`,
  'iu',
);

function createdBy(text: string, span: Span): FoundName | undefined {
  const start = skipComments(text, span);
  const match = CREATED.exec(text.slice(start, Math.min(span.end, start + 500)));
  const written = match?.[1];
  if (match === null || written === undefined) return undefined;
  const parts =
    written.match(new RegExp(NAME, 'gu'))?.map((part) => part.replace(/^["`[]|["`\]]$/g, '')) ?? [];
  const name = parts.pop();
  if (name === undefined) return undefined;
  const nameStart = start + match[0].length - written.length;
  const owner = parts.join('.');
  return { kind: 'def', name, ...(owner === '' ? {} : { owner }), nameStart, start, end: span.end };
}

function skipComments(text: string, span: Span): number {
  const lead = /\s*(?:--[^\n]*(?:\n|$)|\/\*)/y;
  let at = span.start;
  for (lead.lastIndex = at; at < span.end && lead.test(text); lead.lastIndex = at) {
    const block = text.startsWith('/*', lead.lastIndex - 2) && text[lead.lastIndex - 1] === '*';
    // Searches only the statement: otherwise many statements could each search the whole rest for a
    // comment's end.
    const close = block ? text.slice(lead.lastIndex, span.end).indexOf('*/') : -1;
    if (block && close === -1) break;
    at = block ? lead.lastIndex + close + 2 : lead.lastIndex;
  }
  return Math.min(at, span.end);
}
