import { isAbsolute, normalize } from 'node:path';

import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { ECOSYSTEMS, GIT_HOST_KINDS, type GitHostKind } from '#contracts';

import { isUuid } from '../ids/ids.js';
import type { PrivateRegistry } from './package-settings.js';

/**
 * Reads the text of one variable. The message of its {@link InvalidValueError} completes "X must be
 * …".
 */
export type Parser<T> = (text: string) => T;

/** Describes the valid values of a variable; the loader adds the name and the given value. */
export class InvalidValueError extends Error {}

export function isInvalidValue(error: unknown): error is Error {
  return error instanceof InvalidValueError;
}

export const text: Parser<string> = (value) => value;

/** An integer within inclusive bounds. */
export function integer(min: number, max: number): Parser<number> {
  return (value) => {
    const parsed = /^-?\d{1,15}$/.test(value) ? Number(value) : NaN;
    if (!(parsed >= min && parsed <= max))
      throw new InvalidValueError(`an integer from ${min} to ${max}`);
    return parsed;
  };
}

export const boolean: Parser<boolean> = (value) => {
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw new InvalidValueError('true or false');
};

/** Absolute folders separated by commas; `true` means the root folder, `false` no folder. */
export const folders: Parser<readonly string[]> = (value) => {
  if (value === 'true') return ['/'];
  if (value === 'false') return [];
  const words = wordsOf(value);
  if (words.length === 0 || !words.every((word) => isAbsolute(word))) {
    throw new InvalidValueError(
      'true, false, or absolute folders such as /srv/git, separated by commas',
    );
  }
  return words.map((word) => normalize(word));
};

export function oneOf<const T extends string>(...choices: readonly T[]): Parser<T> {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new InvalidValueError(`one of ${choices.join(', ')}`);
    return found;
  };
}

const SIZE = /^(\d{1,12})\s*(b|kib|mib|gib)?$/i;
const UNITS: Readonly<Record<string, number>> = { b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 };

/** Bytes, plain or with a unit: `1048576`, `2 MiB`. */
export const byteSize: Parser<number> = (value) => {
  const match = SIZE.exec(value.trim());
  const bytes = match ? Number(match[1]) * (UNITS[(match[2] ?? 'b').toLowerCase()] ?? 1) : NaN;
  if (!(bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER))
    throw new InvalidValueError('a size in bytes, such as 1048576 or 2 MiB');
  return bytes;
};

export const httpUrl: Parser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new InvalidValueError('an http:// or https:// URL');
  return value.replace(/(?<!\/)\/+$/, '');
};

/** Origins in the form of browsers, separated by commas: no path, no `*`, no wildcard. */
export const origins: Parser<readonly string[]> = (value) => {
  const words = wordsOf(value);
  if (words.length === 0 || !words.every(isHttpOrigin)) {
    throw new InvalidValueError(
      'origins such as https://app.example.com, without a path, separated by commas',
    );
  }
  return words;
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The identifier of an issuer, unchanged: a final slash is part of it. Plain http is only valid for
 * this machine.
 */
export const issuerUrl: Parser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe || /[?#]/.test(value) || url.username !== '' || url.password !== '') {
    throw new InvalidValueError(
      'an https:// URL without query and fragment (http:// only on this machine)',
    );
  }
  return value;
};

/** OAuth scopes separated by spaces, including `openid`. */
export const scopes: Parser<string> = (value) => {
  const words = value.split(/\s+/).filter((word) => word !== '');
  if (
    !words.includes('openid') ||
    !words.every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word))
  ) {
    throw new InvalidValueError('scopes separated by spaces, including openid');
  }
  return words.join(' ');
};

const MAPPED_ROLES = ['owner', 'member', 'auditor'] as const;
export type MappedRole = (typeof MAPPED_ROLES)[number];

/**
 * Maps values of a claim to roles: `admins=owner,staff=member`. The last `=` counts, because
 * distinguished names contain `=`.
 */
export const roleMap: Parser<readonly { readonly value: string; readonly role: MappedRole }[]> = (
  value,
) => {
  const entries = wordsOf(value).map((word) => {
    const at = word.lastIndexOf('=');
    const role = MAPPED_ROLES.find((each) => each === word.slice(at + 1).trim());
    return at > 0 && role !== undefined ? { value: word.slice(0, at).trim(), role } : null;
  });
  const mapped = entries.filter((entry) => entry !== null);
  if (mapped.length === 0 || mapped.length < entries.length) {
    throw new InvalidValueError(
      'values with their roles (owner, member, auditor), such as admins=owner,staff=member',
    );
  }
  return mapped;
};

/** A text prefix; `none` means no text. */
export const prefix: Parser<string> = (value) => (value === 'none' ? '' : value);

const RANGE = /^(-?[01]?\.?\d+) ?- ?(-?[01]?\.?\d+)$/;

/** Two numbers from -1 to 1, the lower first: `0.2-0.8`. */
export const range: Parser<{ readonly low: number; readonly high: number }> = (value) => {
  const match = RANGE.exec(value.trim());
  const [low, high] = [Number(match?.[1]), Number(match?.[2])];
  if (!(low >= -1 && low < high && high <= 1))
    throw new InvalidValueError('two cosines, the lower first, such as 0.2-0.8');
  return { low, high };
};

const API_KEY = /^fnt_[0-9A-Za-z]{32,64}$/;

export const apiKey: Parser<string> = (value) => {
  if (!API_KEY.test(value))
    throw new InvalidValueError('fnt_ followed by 32 to 64 letters and digits');
  return value;
};

/** 32 bytes as hex or base64. */
export const key256: Parser<Uint8Array> = (value) => {
  const bytes = /^[0-9a-f]{64}$/i.test(value)
    ? Buffer.from(value, 'hex')
    : Buffer.from(value, 'base64');
  if (bytes.length !== 32) throw new InvalidValueError('32 bytes as 64 hex digits or as base64');
  return new Uint8Array(bytes);
};

/** Networks in CIDR notation or single addresses, separated by commas. */
export const networks: Parser<readonly string[]> = (value) => {
  const words = wordsOf(value);
  if (words.length === 0 || !words.every(isNetwork)) {
    throw new InvalidValueError('networks such as 10.0.0.0/8, separated by commas');
  }
  return words;
};

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** Hosts, with a port if it is not the default, and the kind of each: `git.example.com=gitea`. */
export const gitHosts: Parser<Readonly<Record<string, GitHostKind>>> = (value) => {
  const entries = wordsOf(value.toLowerCase()).map((word) => {
    const [host = '', name] = word.split('=');
    const kind = GIT_HOST_KINDS.find((each) => each === name);
    return HOST.test(host) && kind !== undefined ? ([host, kind] as const) : null;
  });
  if (entries.length === 0 || entries.includes(null)) {
    throw new InvalidValueError(
      `hosts with their kind (${GIT_HOST_KINDS.join(', ')}), such as git.example.com=gitea, separated by commas`,
    );
  }
  return Object.fromEntries(entries.filter((entry) => entry !== null));
};

/** Absolute path of a file. */
export const absolutePath: Parser<string> = (value) => {
  if (!isAbsolute(value)) throw new InvalidValueError('the absolute path of a file');
  return normalize(value);
};

/** Tenant IDs separated by commas. */
export const tenantIds: Parser<readonly string[]> = (value) => {
  const words = wordsOf(value).map((word) => word.toLowerCase());
  if (words.length === 0 || !words.every(isUuid))
    throw new InvalidValueError('tenant IDs separated by commas');
  return words;
};

const plainUrl = z.string().refine((value) => {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
});
const privateRegistry = z.strictObject({
  ecosystem: z.enum(ECOSYSTEMS),
  url: plainUrl.transform((value) => value.replace(/(?<!\/)\/+$/, '')),
  names: z.array(z.string().min(1).max(200)).min(1),
  tenants: z.array(z.string().refine(isUuid)).min(1),
  token: z.string().min(1).optional(),
  username: z.string().min(1).optional(),
});

/** Registries whose packages belong to single tenants, as a JSON list. */
export const privateRegistries: Parser<readonly PrivateRegistry[]> = (value) => {
  const invalid = new InvalidValueError(
    'a JSON list such as [{"ecosystem":"npm","url":"https://npm.example.com","names":["@acme/*"],"tenants":["<id>"],"token":"…"}]',
  );
  let given: unknown;
  try {
    given = JSON.parse(value);
  } catch {
    throw invalid;
  }
  const read = z.array(privateRegistry).safeParse(given);
  if (!read.success) throw invalid;
  return read.data;
};

/** A tenant ID. */
export const tenantId: Parser<string> = (value) => {
  const id = value.trim().toLowerCase();
  if (!isUuid(id)) throw new InvalidValueError('a tenant ID');
  return id;
};

/** Accepts the common notations only: some parsers also accept `1` and `0x7f.1` as addresses. */
function isNetwork(word: string): boolean {
  if (word.includes(':')) return ipaddr.IPv6.isValid(word) || ipaddr.IPv6.isValidCIDR(word);
  return ipaddr.IPv4.isValidFourPartDecimal(word) || ipaddr.IPv4.isValidCIDRFourPartDecimal(word);
}

function isHttpOrigin(word: string): boolean {
  return (
    /^https?:\/\//.test(word) &&
    !word.includes('*') &&
    URL.canParse(word) &&
    new URL(word).origin === word
  );
}

function wordsOf(value: string): string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Returns the URL unchanged if it has one of the schemes. */
function urlOf(rule: string, ...schemes: readonly string[]): Parser<string> {
  return (value) => {
    const scheme = /^([a-z+]+):\/\/./i.exec(value)?.[1];
    if (scheme === undefined || !schemes.includes(scheme.toLowerCase()))
      throw new InvalidValueError(rule);
    return value;
  };
}

export const eventStoreUrl = urlOf(
  'an esdb:// or esdb+discover:// connection string',
  'esdb',
  'esdb+discover',
);

export const postgresUrl = urlOf('a postgres:// URL', 'postgres', 'postgresql');

/** Addresses `host:port` separated by commas. */
export const brokers: Parser<readonly string[]> = (value) => {
  const words = value.split(',').map((word) => word.trim());
  if (!words.every((word) => /^[^\s:]+:\d{1,5}$/.test(word)))
    throw new InvalidValueError('host:port entries separated by commas');
  return words;
};

/** Signing secrets, newest first, separated by commas; at least 32 characters each. */
export const signingSecrets: Parser<readonly string[]> = (value) => {
  const words = value.split(',').map((word) => word.trim());
  if (words.some((word) => word.length < 32)) {
    throw new InvalidValueError(
      'secrets of at least 32 characters, newest first, separated by commas',
    );
  }
  return words;
};

/** Witness of signed checkpoints. */
export interface WitnessAddress {
  /** Public key, `<name>+<id>+<base64>`. */
  readonly key: string;
  /** Without a trailing slash; `/add-checkpoint` is added. */
  readonly url: string;
}

const WITNESS_KEY = /^[^\s+]{1,255}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/;
const MAX_WITNESSES = 16;

/** Witnesses as key and address with a space between, separated by commas. */
export const witnesses: Parser<readonly WitnessAddress[]> = (value) => {
  const invalid = new InvalidValueError(
    `at most ${MAX_WITNESSES} witnesses, each its key, a space and its https:// or http:// address, separated by commas`,
  );
  const read = wordsOf(value).map((word) => {
    const [key = '', url = '', ...rest] = word.split(/\s+/);
    if (!WITNESS_KEY.test(key) || rest.length > 0) throw invalid;
    try {
      return { key, url: httpUrl(url) };
    } catch {
      throw invalid;
    }
  });
  if (read.length === 0 || read.length > MAX_WITNESSES) throw invalid;
  return read;
};
