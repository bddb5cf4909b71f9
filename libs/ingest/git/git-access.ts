import { StageFailure } from '#contracts';
import { AddressGuard, type StartProcess } from '#platform';
import type { GuardedResponse } from '#platform/http/guarded-http';

import { type FileUrlRules, requireFileUrl } from '../git-url/file-url.js';
import type { GitTransport, GitUrl } from '../git-url/git-url.js';
import { requireGitUrl } from '../git-url/git-url.js';
import { networkFailure, statusFailure } from '../web/web-failure.js';
import { credentialsMissing, credentialsRefused } from './git-failure.js';

/** Options that every command on a remote needs. */
export interface GitRemoteOptions {
  readonly url: string;
  readonly allowPrivateNetworks: boolean;
  readonly fileUrls: FileUrlRules;
  readonly signal?: AbortSignal;
  /**
   * Maximum run time of one git command, milliseconds. Resolving the remote's head has a shorter
   * limit.
   */
  readonly timeoutMs: number;
  /** Authorities that https trusts instead of git's own; see `trustedAuthorities`. */
  readonly authoritiesFile?: string | undefined;
  /** Starter of git processes. Default: this process, which a large process should avoid. */
  readonly start?: StartProcess | undefined;
  /**
   * Token sent only to this origin (`https://github.com`), never written to disk or a command line.
   */
  readonly token?: GitToken;
  /** Files for ssh. Without them, ssh knows no host and has no key. */
  readonly ssh?: {
    readonly identityFile?: string;
    readonly knownHostsFile?: string;
    /**
     * Records the key of a host on first contact and requires it from then on. Default: only known
     * hosts are accepted.
     */
    readonly acceptNewHost?: boolean;
  };
}

export interface GitToken {
  readonly origin: string;
  /**
   * User name. Default: the one that GitHub, GitLab and Gitea accept for a token without a user.
   */
  readonly username?: string;
  readonly token: string;
}

/** Checked remote: the URL and settings that git uses. */
export interface GitAccess {
  /** URL as the source names it, for messages. */
  readonly url: string;
  /** URL after all redirects and links; git receives this one. */
  readonly href: string;
  readonly transport: GitTransport;
  readonly config: readonly string[];
  /** Options of `fetch` and `ls-remote`. */
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly sendsCredentials: boolean;
}

/**
 * Checks the URL and its host's addresses, follows redirects under guard, and pins the address that
 * git may contact.
 *
 * @throws StageFailure, with `status_code` if the server answered.
 */
export async function openGitAccess(options: GitRemoteOptions): Promise<GitAccess> {
  const url = requireGitUrl(options.url, options);
  const guard = new AddressGuard({ allowPrivateNetworks: options.allowPrivateNetworks });
  if (url.transport === 'file') return fileAccess(url, options.fileUrls);
  if (url.transport === 'ssh') return sshAccess(url, await pin(url.href, url.host, guard), options);
  const final = await discover(url, guard, options);
  const address = await pin(url.href, final.host, guard);
  return {
    url: url.href,
    href: final.href,
    transport: final.transport,
    config: [
      `http.curloptResolve=${final.host.replace(/^\[|\]$/g, '')}:${final.port}:${address}`,
      ...(options.authoritiesFile === undefined
        ? []
        : [`http.sslCAInfo=${options.authoritiesFile}`]),
    ],
    parameters: [],
    environment: authorization(final, options),
    sendsCredentials: hasToken(final, options),
  };
}

/**
 * Returns access to a local repository. git receives the checked folder, and `--strict` prevents
 * git from searching for another below it. Call this again right before a fetch, because a folder
 * may have become a link.
 */
export async function fileAccess(
  url: { readonly href: string },
  rules: FileUrlRules,
): Promise<GitAccess> {
  return {
    url: url.href,
    href: await requireFileUrl(url.href, rules),
    transport: 'file',
    config: [],
    parameters: ['--upload-pack=git-upload-pack --strict'],
    environment: {},
    sendsCredentials: false,
  };
}

async function pin(url: string, host: string, guard: AddressGuard): Promise<string> {
  try {
    return await guard.addressOf(host);
  } catch (error) {
    throw networkFailure(url, error, 0);
  }
}

/**
 * Requests the repository's references as git would, so that only the guarded client follows
 * redirects.
 */
async function discover(
  url: GitUrl,
  guard: AddressGuard,
  options: GitRemoteOptions,
): Promise<GitUrl> {
  const { GuardedHttp } = await import('#platform/http/guarded-http');
  const http = new GuardedHttp({
    guard,
    ports: options.allowPrivateNetworks ? 'any' : ALTERNATIVE_PORTS,
  });
  const details = { url: url.href };
  const timeoutMs = Math.min(options.timeoutMs, DISCOVERY_MS);
  try {
    const answer = await http.request(`${url.href.replace(/\/$/, '')}${DISCOVERY}`, {
      headers: {
        'user-agent': 'git/footnote',
        'git-protocol': 'version=2',
        ...authorizationHeader(url, options),
      },
      signal: options.signal,
      timeoutMs,
      maxBytes: 0,
    });
    if (answer.status !== 200) throw discoveryFailure(url.href, answer, hasToken(url, options));
    if (
      !(answer.headers['content-type'] ?? '').startsWith(
        'application/x-git-upload-pack-advertisement',
      )
    ) {
      throw new StageFailure(`${url.href} is not a git repository`, false, {
        ...details,
        status_code: answer.status,
      });
    }
    if (!answer.url.endsWith(DISCOVERY)) {
      throw new StageFailure(
        `${url.href} redirects to something that is not a git repository`,
        false,
        details,
      );
    }
    return requireGitUrl(answer.url.slice(0, -DISCOVERY.length), options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw networkFailure(url.href, error, timeoutMs);
  } finally {
    await http.close();
  }
}

const DISCOVERY = '/info/refs?service=git-upload-pack';
const DISCOVERY_MS = 30_000;
/** Common ports of git servers in addition to 80 and 443. */
const ALTERNATIVE_PORTS = [3000, 8000, 8080, 8443];

function discoveryFailure(
  url: string,
  { status, headers }: GuardedResponse,
  sent: boolean,
): StageFailure {
  if (status !== 401 && status !== 403) return statusFailure(url, status, headers);
  const message = sent ? credentialsRefused(url) : credentialsMissing(url);
  return new StageFailure(message, false, { url, status_code: status });
}

function hasToken(url: GitUrl, options: GitRemoteOptions): boolean {
  return 'authorization' in authorizationHeader(url, options);
}

function authorizationHeader(url: GitUrl, options: GitRemoteOptions): Record<string, string> {
  if (
    options.token === undefined ||
    new URL(url.href).origin !== new URL(options.token.origin).origin
  )
    return {};
  const { username = 'x-access-token', token } = options.token;
  return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` };
}

/**
 * Returns git configuration as environment variables. The process list does not show it, and it
 * ends with the process.
 */
function authorization(url: GitUrl, options: GitRemoteOptions): Record<string, string> {
  const { authorization: value } = authorizationHeader(url, options);
  if (value === undefined) return {};
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${new URL(url.href).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${value}`,
  };
}

function sshAccess(url: GitUrl, address: string, options: GitRemoteOptions): GitAccess {
  const settings = [
    `HostName=${address}`,
    `HostKeyAlias=${url.host}`,
    'BatchMode=yes',
    `StrictHostKeyChecking=${options.ssh?.acceptNewHost ? 'accept-new' : 'yes'}`,
    `UserKnownHostsFile=${options.ssh?.knownHostsFile ?? '/dev/null'}`,
    'GlobalKnownHostsFile=/dev/null',
    // Checks the alias only: the address changes, and may belong to another host later.
    'CheckHostIP=no',
    'UpdateHostKeys=no',
    'HashKnownHosts=no',
    // Without a named file, ssh offers the keys in the home folder of its user. `IdentitiesOnly`
    // does not prevent that.
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    `IdentityFile=${options.ssh?.identityFile ?? 'none'}`,
    'ProxyCommand=none',
    'ForwardAgent=no',
    'PermitLocalCommand=no',
    'ConnectTimeout=5',
    'ServerAliveInterval=10',
  ];
  const command = [
    'ssh',
    '-F',
    '/dev/null',
    ...settings.flatMap((setting) => ['-o', quoted(setting)]),
  ].join(' ');
  return {
    url: url.href,
    href: url.href,
    transport: 'ssh',
    config: [],
    parameters: [],
    environment: { GIT_SSH_VARIANT: 'ssh', GIT_SSH_COMMAND: command },
    sendsCredentials: options.ssh?.identityFile !== undefined,
  };
}

/** Quotes a word, because git passes the command to a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
