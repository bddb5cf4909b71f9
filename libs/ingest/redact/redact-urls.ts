import { isPlaceholderToken } from './placeholders.js';
import { looksRandom } from './randomness.js';
import { redactSecrets } from './redact-secrets.js';

/** Replacement of a secret in a URL, which stays a URL. */
const REDACTED = 'redacted';

/**
 * `name=value` after the sign that begins or separates parameters, in queries, fragments and paths.
 */
const PARAMETER = /([?&;#])([A-Za-z0-9_.~%[\]$-]{1,80})=([^\s?&;#"'<>`\\]{1,8192})/g;

/** The user of a URL, with a password or alone. */
const USER = /\b([A-Za-z][A-Za-z0-9+.-]{0,20}):\/\/([^\s/?#@"'<>`\\]{1,2048})@/g;

/**
 * Words in names of parameters whose values grant access, in lower case without `-`, `_`, `.` and
 * brackets.
 */
const SECRET_NAME =
  /token|secret|passw|passphrase|passwd|apikey|accesskey|privatekey|sharedkey|authkey|subscriptionkey|credential|signature|signedurl|jwt|bearer|sessionid|sessid|authorization|hmac/;
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'sig',
  'auth',
  'pass',
  'pwd',
  'pw',
  'sid',
  'code',
  'key',
]);

/** Names of generic meaning: a generated value alone makes them secret. */
const GENERIC_NAMES: ReadonlySet<string> = new Set(['code', 'key', 'auth', 'sid']);

/** Places in a list, counts and kinds of tokens. */
const HARMLESS_NAME =
  /^(?:next|prev|previous|page|start|cursor|continuation|scroll)(?:page)?token$|tokens$|^tokentype$|^signature(?:version|method)$/;

/**
 * Replaces the secrets of every URL in a text. These are user information, tokens of known formats,
 * and parameters whose names show that they grant access (`?token=…`, `X-Amz-Signature=…`).
 * Redacting twice equals redacting once.
 */
export function redactUrls(text: string): string {
  if (!text.includes('=') && !text.includes('://')) return text;
  const open = text
    .replace(USER, (whole, scheme: string, user: string) =>
      isSecretUser(scheme, user) ? `${scheme}://${REDACTED}@` : whole,
    )
    .replace(PARAMETER, (whole, lead: string, name: string, value: string) =>
      isSecretParameter(name, value) ? `${lead}${name}=${REDACTED}` : whole,
    );
  return redactSecrets(open).text.replace(/\[redacted:(\w+)\]/g, `${REDACTED}-$1`);
}

/**
 * Returns the secret part of a URL as a phrase for its owner that does not quote the value, or
 * null. @example secretOfUrl('https://example.com/a.pdf?token=…') // 'the parameter "token"'
 */
export function secretOfUrl(url: string): string | null {
  for (const [, scheme = '', user = ''] of url.matchAll(USER)) {
    if (isSecretUser(scheme, user)) return 'the user name or password';
  }
  for (const [, , name = '', value = ''] of url.matchAll(PARAMETER)) {
    if (isSecretParameter(name, value)) return `the parameter "${decoded(name)}"`;
  }
  const [kind] = Object.keys(redactSecrets(url).found);
  return kind === undefined ? null : `a value of the format ${kind}`;
}

/** The message and details that a job shows. */
interface Report {
  readonly progress_message: string;
  readonly stage_details: Readonly<Record<string, number>>;
  readonly error_message: string | null;
  readonly error_details: object | null;
}

/** Redacts the URLs in the texts of a job's report. */
export function redactReport<T extends Report>(report: T): T {
  const { progress_message, stage_details, error_message, error_details } = report;
  return {
    ...report,
    progress_message: redactUrls(progress_message),
    stage_details: redactUrlsIn(stage_details),
    error_message: error_message === null ? null : redactUrls(error_message),
    error_details: redactUrlsIn(error_details),
  };
}

/**
 * Redacts the URLs in all strings of a JSON value, names of fields included; returns the value
 * itself where it has none.
 */
export function redactUrlsIn<T>(value: T): T {
  const before = JSON.stringify(value);
  if (before === undefined || redactUrls(before) === before) return value;
  return redactedValue(value) as T;
}

function redactedValue(value: unknown): unknown {
  if (typeof value === 'string') return redactUrls(value);
  if (Array.isArray(value)) return value.map(redactedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [redactUrls(name), redactedValue(part)]),
  );
}

/** Returns whether a user is secret. The user of ssh names an account; any other may be a token. */
function isSecretUser(scheme: string, user: string): boolean {
  if (user === REDACTED) return false;
  return user.includes(':') || !/^(?:git\+)?ssh$/i.test(scheme);
}

function isSecretParameter(name: string, value: string): boolean {
  const plain = decoded(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const given = decoded(value);
  // The value may be another URL in percent codes.
  if (given !== value && secretParameters(given)) return true;
  if (!(SECRET_NAME.test(plain) || SECRET_NAMES.has(plain)) || HARMLESS_NAME.test(plain))
    return false;
  if (given === REDACTED || isPlaceholderToken(given)) return false;
  return !GENERIC_NAMES.has(plain) || looksRandom(given);
}

function secretParameters(text: string): boolean {
  return [...text.matchAll(PARAMETER)].some(([, , name = '', value = '']) =>
    isSecretParameter(name, value),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
