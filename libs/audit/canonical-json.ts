import { hash } from 'node:crypto';

import canonicalize from 'canonicalize';

/**
 * Returns the canonical JSON text of a value (RFC 8785): sorted members, no white space, numbers as
 * ECMAScript writes them. Members whose value is `undefined` are left out.
 *
 * RFC 8785 rejects a lone surrogate, yet a stored event may contain one. Here it becomes U+FFFD, so
 * that every stored event has a canonical text.
 * @throws Error for what JSON cannot hold: NaN, an infinity, a cycle, `undefined` itself.
 */
export function canonicalJson(value: unknown): string {
  const text = plain(value) ?? serialize(value);
  if (text === undefined) throw new Error('canonical JSON needs a value (got undefined)');
  return text;
}

/** Returns the SHA-256 of the canonical JSON text of a value, in lower-case hex. */
export function jsonSha256(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** Depth of nesting up to which values are sorted here. */
const MAX_DEPTH = 64;
/** Names that an object lists by number, before all others. */
const INDEX = /^\d/;

/**
 * Returns the text of what `JSON.parse` returns, at less cost than the library does; undefined for
 * anything else, which the library writes or rejects.
 */
function plain(value: unknown): string | undefined {
  const copy = sorted(value, 0);
  if (copy === UNUSUAL) return undefined;
  const text = JSON.stringify(copy);
  // Only a lone surrogate is escaped like that, or a text that looks so.
  return text.includes('\\ud') ? undefined : text;
}

/** The mark of a value that is left to the library. */
const UNUSUAL = Symbol('unusual');

/** Returns a value whose members are in canonical order, or {@link UNUSUAL}. */
function sorted(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : UNUSUAL;
  if (typeof value !== 'object' || depth === MAX_DEPTH) return UNUSUAL;
  if (Array.isArray(value)) {
    const list = value.map((item) => sorted(item, depth + 1));
    return list.includes(UNUSUAL) ? UNUSUAL : list;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype) return UNUSUAL;
  const copy: Record<string, unknown> = {};
  // The default order is by UTF-16 code units, as RFC 8785 wants it.
  for (const name of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    const part = sorted(member, depth + 1);
    if (part === UNUSUAL || name === 'toJSON' || name === '__proto__' || INDEX.test(name))
      return UNUSUAL;
    copy[name] = part;
  }
  return copy;
}

function serialize(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch (error) {
    const text = JSON.stringify(value) as string | undefined;
    const replaced = text === undefined ? text : withoutLoneSurrogates(text);
    if (replaced === undefined || replaced === text) throw error;
    return canonicalize(JSON.parse(replaced));
  }
}

/** Replaces escapes of surrogates: JSON text escapes only those that are alone. */
function withoutLoneSurrogates(text: string): string {
  return text.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
    escape.startsWith('\\ud') ? '\ufffd' : escape,
  );
}
