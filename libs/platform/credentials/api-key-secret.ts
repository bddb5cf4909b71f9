import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * 32 bytes need at most this many base-62 digits; shorter numbers are padded, so that every secret
 * has the same length.
 */
const DIGITS = 43;
const PREFIX_LENGTH = 12;

/** The only plain form of a secret, with its stored parts. */
export interface ApiKeySecret {
  /** `fnt_` and 32 random bytes in base 62. */
  readonly secret: string;
  /** First characters, for display. */
  readonly prefix: string;
  /** SHA-256 of the secret, lower-case hex. */
  readonly digest: string;
}

export function newApiKeySecret(): ApiKeySecret {
  return describeApiKey(`fnt_${base62(randomBytes(32))}`);
}

/** Returns the stored parts of a secret that somebody else chose. */
export function describeApiKey(secret: string): ApiKeySecret {
  return { secret, prefix: secret.slice(0, PREFIX_LENGTH), digest: apiKeyDigest(secret) };
}

/** Returns the digest. A fast hash is sufficient for 256-bit secrets, which cannot be guessed. */
export function apiKeyDigest(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function base62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  while (digits.length < DIGITS) {
    digits = (ALPHABET[Number(rest % 62n)] ?? '') + digits;
    rest /= 62n;
  }
  return digits;
}
