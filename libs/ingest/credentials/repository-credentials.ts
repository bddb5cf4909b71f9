import { z } from 'zod';

import type { FileUrlRules } from '../git-url/file-url.js';
import { type GitUrl, parseGitUrl } from '../git-url/git-url.js';

const token = z.object({ username: z.string().optional(), token: z.string() });
const sshKey = z.object({ ssh_key: z.string() });

export const repositoryCredentialsSchema = z.union([token, sshKey]);

/** Credentials for a private repository: a token over http(s), or a private key over ssh. */
export type RepositoryCredentials = z.output<typeof repositoryCredentialsSchema>;

/** Credentials of a request, before validation. */
export interface GivenCredentials {
  readonly username?: string | undefined;
  readonly token?: string | undefined;
  readonly ssh_key?: string | undefined;
}

export interface CredentialRules {
  readonly fileUrls: FileUrlRules;
  readonly allowPrivateNetworks: boolean;
}

/**
 * Returns the credentials for a repository's URL. If they do not fit, returns the problem as the
 * end of a sentence. No problem quotes the credentials.
 */
export function credentialsFor(
  url: string,
  given: GivenCredentials,
  rules: CredentialRules,
): RepositoryCredentials | string {
  const { username, token: secret, ssh_key } = given;
  if ((secret === undefined) === (ssh_key === undefined)) return 'takes either token or ssh_key';
  const parsed = parseGitUrl(url, rules);
  if (typeof parsed === 'string') return 'needs a url that is one of a repository';
  const unsafe = transportProblem(parsed, rules);
  if (unsafe !== null) return unsafe;
  if (secret !== undefined) {
    if (parsed.transport === 'ssh') return 'needs ssh_key for an ssh url; a token is for https';
    if (username?.includes(':')) return 'has a username with a colon in it';
    return { ...(username === undefined ? {} : { username }), token: secret };
  }
  if (username !== undefined)
    return 'takes username with a token alone; for ssh it stands in the url';
  if (parsed.transport !== 'ssh') return 'needs a token for an https url; ssh_key is for ssh';
  const problem = keyProblem(ssh_key ?? '');
  return problem ?? { ssh_key: withLineEnd(ssh_key ?? '') };
}

/**
 * Returns the reason why credentials must not use this transport, as the end of a sentence. Returns
 * null if they may.
 */
export function transportProblem(
  { transport }: GitUrl,
  { allowPrivateNetworks }: CredentialRules,
): string | null {
  if (transport === 'file') return 'does not apply to file:// repositories';
  if (transport !== 'http' || allowPrivateNetworks) return null;
  return 'is not sent over http://, where it could be read on the way; use an https:// url';
}

/**
 * Returns the only destination of the credentials for a URL: transport, host and port. Returns null
 * if the URL is not a repository's URL.
 */
export function credentialsOrigin(
  url: string,
  rules: Pick<CredentialRules, 'fileUrls'>,
): string | null {
  const parsed = parseGitUrl(url, rules);
  return typeof parsed === 'string' ? null : `${parsed.transport}://${parsed.host}:${parsed.port}`;
}

const ARMOUR =
  /^-----BEGIN ((?:OPENSSH|RSA|EC|DSA) )?PRIVATE KEY-----\r?\n([\s\S]+)\r?\n-----END [A-Z ]*PRIVATE KEY-----$/;
const OPENSSH_MAGIC = 'openssh-key-v1\0';

function keyProblem(text: string): string | null {
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type:.*ENCRYPTED/m.test(text)) return ENCRYPTED;
  const [, kind, body = ''] = ARMOUR.exec(text.trim()) ?? [];
  if (body === '')
    return 'needs the text of a private key file: -----BEGIN OPENSSH PRIVATE KEY----- to its end';
  if (kind !== 'OPENSSH ') return null;
  const bytes = Buffer.from(body, 'base64');
  if (bytes.toString('latin1', 0, OPENSSH_MAGIC.length) !== OPENSSH_MAGIC)
    return 'has an ssh_key that is damaged';
  const length =
    bytes.length < OPENSSH_MAGIC.length + 4 ? 0 : bytes.readUInt32BE(OPENSSH_MAGIC.length);
  const cipher = bytes.toString(
    'latin1',
    OPENSSH_MAGIC.length + 4,
    OPENSSH_MAGIC.length + 4 + Math.min(length, 64),
  );
  return cipher === 'none' ? null : ENCRYPTED;
}

const ENCRYPTED = 'has an ssh_key with a passphrase; make one without';

/**
 * Normalizes line ends. ssh rejects a key without a final line end, and a key with Windows line
 * ends.
 */
function withLineEnd(key: string): string {
  return `${key.trim().replaceAll('\r\n', '\n')}\n`;
}
