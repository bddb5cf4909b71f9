import type { Citation, GitHostKind, PriorityKind } from '#contracts';
import { pathBytes } from '#ingest/git/git-path';

/** Addresses of a repository's files on the web pages of a git host. */
export interface RepositoryPages {
  readonly kind: GitHostKind;
  /** `https://github.com/pallets/flask` */
  readonly base: string;
}

/** Software of well-known hosts. */
const KNOWN_HOSTS: Readonly<Record<string, GitHostKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'codeberg.org': 'gitea',
};

/** Hosts that git is reached by where port 22 is shut; the pages are elsewhere. */
const SSH_HOSTS: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/**
 * The pages of a repository by its URL; null on a host of which nobody said what it runs.
 * @param hostKinds what the operator says of other hosts, by host name, with the port or without
 * it.
 */
export function repositoryPages(
  url: string | null,
  hostKinds: Readonly<Record<string, GitHostKind>>,
): RepositoryPages | null {
  const place = url === null ? null : repositoryPlace(url);
  if (!place) return null;
  const { protocol, hostname, host, port, pageHost, path } = place;
  const known = KNOWN_HOSTS[pageHost];
  const kind = hostKinds[host] ?? hostKinds[pageHost] ?? known;
  if (kind === undefined || !hasOwner(path, kind)) return null;
  // Its own hosts are known to speak https on the usual port; one that is read over http or
  // elsewhere shows its pages there.
  const isWeb = known === undefined && (protocol === 'http:' || protocol === 'https:');
  const origin = isWeb
    ? `${protocol}//${hostname}${port === '' ? '' : `:${port}`}`
    : `https://${pageHost}`;
  return { kind, base: `${origin}/${path}` };
}

/**
 * Returns one text for all spellings of the address of a repository; null for an invalid one. The
 * protocol, the case and `.git` at the end make no difference.
 */
export function repositoryAddress(url: string): string | null {
  const place = repositoryPlace(url);
  if (!place) return null;
  const { protocol, port, pageHost, path } = place;
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return `${pageHost}${isWeb && port !== '' ? `:${port}` : ''}/${path}`.toLowerCase();
}

/** Returns the parts of an address; null for an invalid one. */
function repositoryPlace(url: string) {
  const short = /^[^@/\s]+@([^:/\s]+):(?!\/\/)(.+)$/.exec(url);
  const written = short ? `ssh://${short[1]}/${short[2]}` : url;
  if (!URL.canParse(written)) return null;
  const { protocol, hostname, host, port, pathname } = new URL(written);
  const path = pathname
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/?\.git$/, '')
    .replace(/^\/+/, '');
  return { protocol, hostname, host, port, pageHost: SSH_HOSTS[hostname] ?? hostname, path };
}

/** An owner and a name; GitLab has groups in groups, Gitea may live below a path. */
function hasOwner(path: string, kind: GitHostKind): boolean {
  const parts = path.split('/');
  if (parts.includes('')) return false;
  return kind === 'github' || kind === 'bitbucket' ? parts.length === 2 : parts.length >= 2;
}

/** Shown as a page instead of as lines unless the URL asks for its source. */
const RENDERED =
  /\.(?:md|mdx|markdown|mdown|mkdn?|rst|adoc|asciidoc|asc|org|textile|rdoc|creole|mediawiki|wiki|pod|ipynb|csv|tsv|svg|geojson|stl)$/i;

/** The page that shows the cited lines at the cited commit. */
export function permalink({ kind, base }: RepositoryPages, citation: CitedPlace): string {
  const { path, version_ref: commit, start_line: first, end_line: last = first } = citation;
  const file = encodedPath(path);
  const asSource = first !== undefined && RENDERED.test(path);
  switch (kind) {
    case 'github':
      return `${base}/blob/${commit}/${file}${asSource ? '?plain=1' : ''}${range(first, last, '#L', '-L')}`;
    case 'gitlab':
      return `${base}/-/blob/${commit}/${file}${asSource ? '?plain=1' : ''}${range(first, last, '#L', '-')}`;
    case 'bitbucket':
      return `${base}/src/${commit}/${file}${range(first, last, '#lines-', ':')}`;
    case 'gitea':
      return `${base}/src/commit/${commit}/${file}${asSource ? '?display=source' : ''}${range(first, last, '#L', '-L')}`;
  }
}

export type CitedPlace = Pick<Citation, 'path' | 'version_ref' | 'start_line' | 'end_line'>;

function range(
  first: number | undefined,
  last: number | undefined,
  begin: string,
  between: string,
): string {
  if (first === undefined) return '';
  return last === undefined || last === first
    ? `${begin}${first}`
    : `${begin}${first}${between}${last}`;
}

/**
 * Encodes a path byte by byte, except letters, digits and `/._~-`. A name need not be UTF-8, and
 * may hold `#`, `?`, `%` and spaces.
 */
function encodedPath(path: string): string {
  let encoded = '';
  for (const byte of pathBytes(path)) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9/._~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/**
 * Returns the address where a person can read the cited passage; undefined if it is not on the web,
 * or its address is unknown.
 */
export function citedUrl(
  source: { readonly kind: PriorityKind; readonly pages: RepositoryPages | null } | undefined,
  citation: CitedPlace,
): string | undefined {
  if (source?.kind !== 'repo')
    return /^https?:\/\//i.test(citation.path) ? citation.path : undefined;
  return source.pages === null ? undefined : permalink(source.pages, citation);
}
