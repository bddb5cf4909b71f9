import { StageFailure } from '#contracts';

import type { FileUrlRules } from './file-url.js';

export type GitTransport = 'https' | 'http' | 'ssh' | 'file';

/** Parsed git URL that passed the rules below. */
export interface GitUrl {
  readonly transport: GitTransport;
  /** URL in the form passed to git: `git@host:path` becomes `ssh://git@host/path`. */
  readonly href: string;
  /** Empty for `file`. */
  readonly host: string;
  readonly port: number;
}

const PORTS: Readonly<Record<GitTransport, number>> = { https: 443, http: 80, ssh: 22, file: 0 };
const MAX_LENGTH = 2_048;

/**
 * Parses a repository URL: `https://`, `http://`, `ssh://`, `git@host:path`, or `file://` where the
 * server allows it. `fileUrlProblem` checks the location of a `file://` source. Rejects credentials
 * in a URL, because citations, events and errors show it.
 *
 * @returns the URL, or a sentence that states the problem.
 */
export function parseGitUrl(
  url: string,
  { fileUrls }: { readonly fileUrls: FileUrlRules },
): GitUrl | string {
  if (url.length > MAX_LENGTH) return `The URL is longer than ${MAX_LENGTH} characters`;
  const short =
    /^([A-Za-z0-9_][A-Za-z0-9_.-]*)@([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)([^\s:'"\\]+)$/.exec(url);
  const written =
    short === null ? url : `ssh://${short[1]}@${short[2]}/${short[3]?.replace(/^\//, '')}`;
  if (/[\s\\\p{Cc}]/u.test(written))
    return 'The URL has white space, a backslash or a control character in it';
  if (!URL.canParse(written))
    return 'This is not a URL; use https://, ssh://, git@host:path or file://';
  const parsed = new URL(written);
  const transport = parsed.protocol.slice(0, -1);
  if (
    transport !== 'https' &&
    transport !== 'http' &&
    transport !== 'ssh' &&
    transport !== 'file'
  ) {
    return `Git repositories are read over https, http, ssh or file, not ${transport}`;
  }
  if (transport === 'file') {
    if (fileUrls.below.length === 0)
      return 'file:// URLs are not allowed on this server; ALLOW_FILE_URLS allows them';
    if (parsed.hostname !== '') return 'A file:// URL takes an absolute path and no host';
  } else {
    if (parsed.hostname === '') return 'The URL names no host';
    if (parsed.password !== '' || (transport !== 'ssh' && parsed.username !== '')) {
      return 'The URL carries credentials; they would be shown in citations and events';
    }
    if (transport === 'ssh' && !/^[A-Za-z0-9_][A-Za-z0-9_.-]*$|^$/.test(parsed.username))
      return 'The user name is not plain';
    if (parsed.hostname.startsWith('-')) return 'The host begins with a dash';
  }
  if (parsed.search !== '' || parsed.hash !== '')
    return 'A repository URL has no query and no fragment';
  const port = parsed.port === '' ? PORTS[transport] : Number(parsed.port);
  return { transport, href: parsed.href, host: parsed.hostname, port };
}

/**
 * Parses a URL like {@link parseGitUrl}.
 * @throws StageFailure (not retryable) if the URL is invalid.
 */
export function requireGitUrl(url: string, options: { readonly fileUrls: FileUrlRules }): GitUrl {
  const parsed = parseGitUrl(url, options);
  if (typeof parsed === 'string')
    throw new StageFailure(parsed, false, { url: withoutCredentials(url) });
  return parsed;
}

/** Returns the URL without user name and password, for messages. */
function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@\s]*@/, '//').slice(0, MAX_LENGTH);
}
