/** GitHub's rules: an owner has no two hyphens in a row, and a name is neither `.` nor `..`. */
const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}$/;
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
const REPOSITORY_URL = /\bgithub\.com\/([A-Za-z0-9-]{1,39})\/([A-Za-z0-9._-]{1,100})/g;
const WORD_WITH_SLASH = /(?<![\w/.:@-])([A-Za-z0-9][\w.-]{0,100})\/([\w.-]{1,100})(?![\w/-])/g;
const PATH = /(?<![\w/.:@-])(?:\.{0,2}\/)?[\w.@-]{1,100}(?:\/[\w.@-]{1,100}){0,20}(?![\w/])/g;
const FILE =
  /^\.?[\w-]+(?:\.[\w-]+)*\.(?:py|pyi|rb|js|mjs|cjs|jsx|ts|mts|cts|tsx|go|mod|rs|java|kt|kts|scala|c|h|cc|cpp|hpp|cs|php|swift|ex|exs|sh|sql|md|rst|txt|json|ya?ml|toml|xml|ini|cfg|gradle|proto|graphql|css|html)$/i;
const FILE_NAME = /^(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG|AGENTS|Gemfile|Rakefile)$/;
/** First folders that a path has, unlike an owner. */
const FOLDERS: ReadonlySet<string> = new Set([
  'src',
  'lib',
  'libs',
  'test',
  'tests',
  'docs',
  'doc',
  'pkg',
  'cmd',
  'app',
  'apps',
  'internal',
  'examples',
  'example',
  'scripts',
  'packages',
  'crates',
  'bin',
  'config',
  'include',
  'core',
  'api',
]);
/** Pairs of words that prose joins with a slash. */
const PAIRS: ReadonlySet<string> = new Set([
  'and/or',
  'read/write',
  'client/server',
  'request/response',
  'input/output',
  'yes/no',
  'true/false',
  'on/off',
  'he/she',
  'tcp/ip',
  'i/o',
  'n/a',
  'async/await',
  'get/set',
  'try/catch',
  'import/export',
  'start/stop',
  'open/close',
  'push/pull',
]);

/** Returns whether a text follows GitHub's rules for `owner/name` exactly. */
export function isRepositoryName(text: string): boolean {
  const [owner = '', name = '', ...more] = text.split('/');
  return more.length === 0 && OWNER.test(owner) && NAME.test(name);
}

/** Returns the repositories that a text names: by address, or as `owner/name`. */
export function repositoriesIn(text: string): string[] {
  const byAddress = Array.from(
    text.matchAll(REPOSITORY_URL),
    ([, owner = '', name = '']) => `${owner}/${name.replace(/\.git$|\.$/, '')}`,
  );
  const bare = Array.from(
    text.matchAll(WORD_WITH_SLASH),
    ([, owner = '', name = '']) => `${owner}/${name.replace(/\.$/, '')}`,
  ).filter((each) => !isPath(each) && !PAIRS.has(each.toLowerCase()));
  return [...new Set([...byAddress, ...bare])].filter(isRepositoryName);
}

/** Returns whether a text reads as a file or a path in a repository. */
export function isPath(text: string): boolean {
  const parts = text.split('/');
  const last = parts.at(-1) ?? '';
  if (!/^[\w./@-]+$/.test(text)) return false;
  if (FILE.test(last) || FILE_NAME.test(last)) return true;
  return parts.length > 1 && FOLDERS.has((parts[0] ?? '').toLowerCase());
}

/** Returns the paths and file names in a text. */
export function pathsIn(text: string): string[] {
  const found = Array.from(text.matchAll(PATH), ([path]) => path.replace(/[./]$/, ''));
  return [...new Set(found.filter(isPath).map((path) => path.replace(/^(?:\.{0,2}\/)+/, '')))];
}
