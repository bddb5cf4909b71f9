import { type FailureDetails, StageFailure } from '#contracts';

/** Messages of git and ssh that deny access. */
const REFUSED =
  /could not read (?:Username|Password)|Authentication failed|Permission denied|terminal prompts disabled|requested URL returned error: 40[13]/i;

/** Remote that a command failed on. */
export interface FailedAccess {
  readonly url: string;
  readonly sendsCredentials: boolean;
}

/**
 * Patterns for git's standard error, in search order. The sentence is for people; the URL replaces
 * `URL`.
 */
const SIGNS: readonly {
  readonly sign: RegExp;
  readonly sentence: string;
  readonly retryable: boolean;
  readonly isLimit?: true;
}[] = [
  {
    sign: /does not appear to be a git repository|not a git repository|info\/refs not valid|repository '[^']*' not found/i,
    sentence: 'URL is not a git repository',
    retryable: false,
  },
  {
    sign: /REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    sentence:
      'The ssh host key of URL is not the one that was seen before: the host was reinstalled, or is another',
    retryable: false,
  },
  {
    sign: /Host key verification failed/i,
    sentence: 'The ssh host key of URL is not known to this server',
    retryable: false,
  },
  {
    sign: REFUSED,
    sentence: credentialsMissing('URL'),
    retryable: false,
  },
  { sign: /requested URL returned error: 404/i, sentence: 'URL does not exist', retryable: false },
  { sign: /Could not resolve host/i, sentence: 'The host of URL cannot be found', retryable: true },
  // A client that trusts the same authorities requested the references. This sign covers changes
  // since then.
  {
    sign: /SSL certificate problem|certificate verification failed|certificate subject name/i,
    sentence: 'git does not trust the certificate of URL',
    retryable: false,
  },
  {
    sign: /detected dubious ownership/i,
    sentence: 'URL belongs to another user of this machine',
    retryable: false,
  },
  {
    sign: /File size limit exceeded|unable to write file|signal 25/i,
    sentence: 'URL is larger than MAX_SOURCE_BYTES allows',
    retryable: false,
    isLimit: true,
  },
  {
    sign: /fsck error|error in tree|unknown index entry format/i,
    sentence: 'URL has objects that git finds malformed',
    retryable: false,
  },
  { sign: /No space left on device/i, sentence: 'The disk is full', retryable: true },
  // This address returned the references a moment ago, without a redirect.
  {
    sign: /requested URL returned error: 30[12378]/i,
    sentence: 'URL redirects git while it fetches, which is not followed',
    retryable: false,
  },
  {
    sign: /bad line length|protocol error(?!: bad pack header)|invalid server response/i,
    sentence: 'URL answers git with something that git does not understand',
    retryable: true,
  },
  {
    sign: /early EOF|unexpected disconnect|hung up unexpectedly|curl (?:18|56|92)\b/i,
    sentence: 'URL broke off while it was fetched',
    retryable: true,
  },
  // An interrupted pack is damaged as well.
  {
    sign: /pack has bad object|inflate returned|pack is corrupted|bad pack header|unknown object type|hash mismatch/i,
    sentence: 'The pack that URL sent is damaged',
    retryable: true,
  },
];

/**
 * Returns the message for a rejected request without credentials. The host does not distinguish a
 * private repository from a missing one more than necessary.
 */
export function credentialsMissing(url: string): string {
  return `${url} does not exist or needs credentials; add them to the source if it is private`;
}

/** Returns the message for a rejected request with credentials. */
export function credentialsRefused(url: string): string {
  return `${url} does not exist or refuses the credentials that were sent: they may have run out, lack a right or be mistyped`;
}

/**
 * Returns the failure of a git command on a remote. An unknown failure is retryable, because it may
 * be temporary.
 */
export function gitFailure({ url, sendsCredentials }: FailedAccess, stderr: string): StageFailure {
  if (sendsCredentials && REFUSED.test(stderr))
    return new StageFailure(credentialsRefused(url), false, { url });
  const known = SIGNS.find(({ sign }) => sign.test(stderr));
  const status = /requested URL returned error: (\d{3})/.exec(stderr)?.[1];
  const all: FailureDetails = {
    url,
    ...(status === undefined ? {} : { status_code: Number(status) }),
    ...(known?.isLimit && { too_large: true }),
  };
  if (known !== undefined)
    return new StageFailure(known.sentence.replace('URL', url), known.retryable, all);
  if (status !== undefined) return new StageFailure(`${url} answered ${status}`, true, all);
  return new StageFailure(`git could not read ${url}: ${lastComplaint(stderr)}`, true, all);
}

export function gitTimeout(url: string, timeoutMs: number): StageFailure {
  return new StageFailure(
    `Reading ${url} took longer than ${Math.round(timeoutMs / 1_000)} s`,
    true,
    { url },
  );
}

/** Returns the last `fatal:` line, or else the last line that git reported, without local paths. */
function lastComplaint(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => /^(?:fatal|error|remote):/.test(line));
  const line =
    lines.findLast((entry) => entry.startsWith('fatal:')) ?? lines.at(-1) ?? 'it gave no reason';
  return line.replace(/'?\/[^\s']*'?/g, '…').slice(0, 300);
}
