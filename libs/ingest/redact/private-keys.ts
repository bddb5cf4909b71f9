import type { SecretSpan } from './secret-rule.js';

/** `-----BEGIN RSA PRIVATE KEY-----`, OpenSSH's and PGP's included. */
const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const PUTTY = /PuTTY-User-Key-File-[23]:/y;
const PUTTY_KEY = /Private-Lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{1,76}\r?(?:\n|$)){1,200})/g;

/** Most characters of a block; the largest are PGP's. */
const MAX_BLOCK = 30_000;
/**
 * Data of a key: lines of at least this many characters. A block without such a line is a pattern
 * or an ellipsis.
 */
const DATA = /[A-Za-z0-9+/]{40}/;
const CUT_OFF = /(?:[^\S\n]{0,20}[A-Za-z0-9+/=]{40,80}[^\S\n]{0,20}(?:\r?\n|\\n|$)){1,400}/y;

/** Literals at the beginning of a private key's first line. */
export const KEY_LITERALS: readonly string[] = ['-----BEGIN ', 'PuTTY-User-Key-File-'];

/**
 * Returns the text between the two lines of a private key that begins at `at`. A key whose end is
 * cut off extends as far as its lines.
 */
export function privateKeyAt(text: string, at: number): SecretSpan | undefined {
  BEGIN.lastIndex = PUTTY.lastIndex = at;
  if (PUTTY.test(text)) return puttyKey(text, at);
  const begin = BEGIN.exec(text)?.[0];
  if (begin === undefined) return undefined;
  const start = at + begin.length;
  END.lastIndex = 0;
  const within = upTo('-----BEGIN ', text.slice(start, start + MAX_BLOCK));
  const end = END.exec(within);
  const length = end ? end.index : cutOffLength(text, start);
  if (length === 0 || !DATA.test(within.slice(0, length))) return undefined;
  const kind = begin.includes(' PGP ') ? 'pgp_private_key' : 'private_key';
  return { kind, start, end: start + length, block: true };
}

/** Returns the text before the next key: no character is read for more than one. */
function upTo(literal: string, text: string, from = 0): string {
  const next = text.indexOf(literal, from);
  return next === -1 ? text : text.slice(0, next);
}

function cutOffLength(text: string, start: number): number {
  const lead = /^(?:[^\S\n]|\\n){0,20}\r?\n?/.exec(text.slice(start, start + 100))?.[0].length ?? 0;
  CUT_OFF.lastIndex = start + lead;
  const lines = CUT_OFF.exec(text)?.[0].length ?? 0;
  return lines === 0 ? 0 : lead + lines;
}

function puttyKey(text: string, at: number): SecretSpan | undefined {
  const within = upTo('PuTTY-User-Key-File-', text.slice(at, at + MAX_BLOCK), 1);
  PUTTY_KEY.lastIndex = 0;
  const [all, lines] = PUTTY_KEY.exec(within) ?? [];
  if (all === undefined || lines === undefined) return undefined;
  const end = at + PUTTY_KEY.lastIndex;
  return { kind: 'private_key', start: end - lines.length, end, block: true };
}

/**
 * Returns a block with the same number of lines. The marker replaces the data of the first line;
 * the other lines have none. Line breaks, indents, quotes and signs that join the lines of a
 * literal remain.
 */
export function blankedBlock(block: string, marker: string): string {
  let marked = false;
  return block
    .split('\n')
    .map((line) => {
      const [first, last] = dataOf(line);
      if (first >= last) return line;
      const put = marked ? '' : marker;
      marked = true;
      return line.slice(0, first) + put + line.slice(last);
    })
    .join('\n');
}

/** Returns the range of the data on a line, without escaped line breaks at its ends. */
function dataOf(line: string): readonly [number, number] {
  let first = 0;
  while (first < line.length && (isEscape(line, first) || !isData(line[first])))
    first += isEscape(line, first) ? 2 : 1;
  let last = line.length;
  while (
    last > first &&
    (isEscape(line, last - 2) || joins(line, last - 1) || !isData(line[last - 1]))
  ) {
    last -= isEscape(line, last - 2) ? 2 : 1;
  }
  return [first, last];
}

function isEscape(line: string, at: number): boolean {
  return line[at] === '\\' && (line[at + 1] === 'n' || line[at + 1] === 'r');
}

/** Returns whether a plus sign joins two literals. */
function joins(line: string, at: number): boolean {
  return line[at] === '+' && /[\s"'`]/.test(line[at - 1] ?? '');
}

function isData(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9+/=]/.test(character);
}
