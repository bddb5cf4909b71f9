import { namedValues, secretSettings } from './named-values.js';
import { isPlaceholderToken } from './placeholders.js';
import { blankedBlock, KEY_LITERALS, privateKeyAt } from './private-keys.js';
import { isSettingsFile } from './secret-files.js';
import type { SecretRule, SecretSpan } from './secret-rule.js';
import { TOKEN_RULES } from './token-rules.js';

/**
 * Version of the rules. Raised whenever the detected secrets or their markers change: the next sync
 * reads everything again.
 */
export const REDACTION_VERSION = 1;

export interface RedactedText {
  readonly text: string;
  /** Removed secrets by kind; empty if the text is unchanged. */
  readonly found: Readonly<Record<string, number>>;
}

const NOTHING: RedactedText['found'] = {};

/** Most characters of a token before its literal. */
const MAX_LEAD = 40;

/** Codes of the characters around such a literal. */
const TOKEN_CODES: ReadonlySet<number> = new Set(
  Array.from({ length: 128 }, (_, code) => code).filter((code) =>
    /[A-Za-z0-9_~.-]/.test(String.fromCharCode(code)),
  ),
);

const RULES = new Map<string, readonly SecretRule[]>();
for (const rule of TOKEN_RULES) {
  for (const literal of rule.literals) RULES.set(literal, [...(RULES.get(literal) ?? []), rule]);
}
const LITERALS = new RegExp(
  [...RULES.keys(), ...KEY_LITERALS]
    .sort((left, right) => right.length - left.length)
    .map((literal) => literal.replace(/[.?]/g, String.raw`\$&`))
    .join('|'),
  'g',
);

/**
 * Replaces each secret by a marker that names its kind, `[redacted:github_token]`. Nothing else
 * changes, and the text has as many lines as before. Time is linear in the text's length, whatever
 * its content. Redacting twice equals redacting once. @param path origin of the text: in a file of
 * settings the names alone decide.
 */
export function redactSecrets(text: string, path = ''): RedactedText {
  const spans = merged([
    ...tokens(text),
    ...namedValues(text),
    ...(isSettingsFile(path) ? secretSettings(text) : []),
  ]);
  if (spans.length === 0) return { text, found: NOTHING };
  const found: Record<string, number> = {};
  const pieces: string[] = [];
  let at = 0;
  for (const { kind, start, end, block } of spans) {
    const marker = `[redacted:${kind}]`;
    pieces.push(
      text.slice(at, start),
      block ? blankedBlock(text.slice(start, end), marker) : marker,
    );
    found[kind] = (found[kind] ?? 0) + 1;
    at = end;
  }
  pieces.push(text.slice(at));
  return { text: pieces.join(''), found };
}

/** Returns whether a name, such as a path, contains a secret. */
export function carriesSecret(name: string): boolean {
  return tokens(name).length > 0 || namedValues(name).length > 0;
}

/** Finds secrets of the formats that have a known literal. */
function tokens(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  LITERALS.lastIndex = 0;
  for (let hit = LITERALS.exec(text); hit; hit = LITERALS.exec(text)) {
    const span = tokenAt(text, hit[0], hit.index);
    if (!span) {
      // A literal may begin within another one.
      LITERALS.lastIndex = hit.index + 1;
      continue;
    }
    spans.push(span);
    LITERALS.lastIndex = span.end;
  }
  return spans;
}

function tokenAt(text: string, literal: string, at: number): SecretSpan | undefined {
  const rules = RULES.get(literal);
  if (!rules) return privateKeyAt(text, at);
  for (const rule of rules) {
    const begin = rule.inside ? tokenStart(text, at) : at;
    if (!rule.anywhere && begin > 0 && !isBoundary(text, begin)) continue;
    rule.pattern.lastIndex = begin;
    const match = rule.pattern.exec(text);
    if (!match) continue;
    const [all, lead, grouped] = match;
    const secret = grouped ?? all;
    const accepts = rule.accepts ?? isToken;
    const start = begin + (grouped === undefined ? 0 : (lead ?? '').length);
    if (accepts(secret)) return { kind: rule.kind, start, end: start + secret.length };
  }
  return undefined;
}

function isToken(secret: string): boolean {
  return !isPlaceholderToken(secret);
}

function tokenStart(text: string, at: number): number {
  const least = Math.max(0, at - MAX_LEAD);
  let start = at;
  while (start > least && TOKEN_CODES.has(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/**
 * Returns whether a token may begin here: not within a word, but possibly after an escaped line
 * break or tab.
 */
function isBoundary(text: string, at: number): boolean {
  const before = text[at - 1] ?? '';
  if (!/[A-Za-z0-9_-]/.test(before)) return true;
  return text[at - 2] === '\\' && /[nrt]/.test(before);
}

/**
 * Returns spans in the order of the text. Of two that overlap, the earlier start wins, then the one
 * that was found first.
 */
function merged(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const kept: SecretSpan[] = [];
  for (const span of [...spans].sort((left, right) => left.start - right.start)) {
    const last = kept.at(-1);
    if (!last || span.start >= last.end) kept.push(span);
    else {
      const end = Math.max(last.end, span.end);
      kept[kept.length - 1] = { ...last, end, ...((last.block || span.block) && { block: true }) };
    }
  }
  return kept;
}
