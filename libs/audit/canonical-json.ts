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
  const text = serialize(value);
  if (text === undefined) throw new Error('canonical JSON needs a value (got undefined)');
  return text;
}

/** Returns the SHA-256 of the canonical JSON text of a value, in lower-case hex. */
export function jsonSha256(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
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
