import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';

const WIDTH = 100;

const INTRODUCTION =
  'Configuration is read once at start from the environment and from `.env` in the working folder. ' +
  'The environment takes precedence. An invalid value stops the start with one sentence: the variable, ' +
  'the valid values and the given value. This page is generated from ' +
  '`libs/platform/config/variables.ts` by `npm run docs`.';

const ENGINES =
  'Each engine is chosen separately: with an address it is used there, without one it is embedded in ' +
  '`DATA_DIR`. Separate processes (`start:api`, `start:projector`, `start:pipeline`) need all five on ' +
  'servers: EventStoreDB, PostgreSQL, OpenSearch, Kafka and S3.';

const WHAT_SOURCES_MAY_READ =
  'A source shows its tenant everything that the service can read at its address. Two settings ' +
  'therefore affect more than one tenant.';

const GITHUB_TOKEN = [
  'The token is sent only for sources of the tenants in `GITHUB_TOKEN_TENANTS`, and only to the ' +
    'origins of `GITHUB_GIT_URL` and `GITHUB_API_URL`.',
  'Content that another tenant synced with the token in an earlier version stays searchable until ' +
    'that tenant or the operator deletes the source.',
  'Over SSH, the service never offers the keys of its own operating system user. It reads only ' +
    'repositories that need no key, or whose source has an `ssh_key`.',
  'The credentials of a source ([private-repositories.md](private-repositories.md)) stay with its ' +
    'tenant and are sent only to its own host.',
];

const FILE_URLS = [
  '`true` opens every repository on the machine that the service can read to every ' +
    'tenant. Use it only for a service with one tenant.',
  'With several tenants, list folders that contain only content that all of them may read.',
  'Links are resolved before a folder is checked, both at registration and directly before each ' +
    'fetch. git receives the folder that was checked.',
  'The check also covers the folder that a `.git` file names, the repository of a linked working ' +
    'tree, and the objects that a repository borrows from another.',
  'Only trusted users may write in such a folder. The check does not detect a change during the ' +
    "fetch or a link deep inside a repository's own files.",
];

/** Returns the text of `docs/configuration.md`, generated from the table of variables. */
export function configurationPage(): string {
  const rows = Object.entries<Variable<unknown>>(VARIABLES).map(
    ([name, variable]) => `\`${name}\` (${defaultOf(variable)}): ${variable.meaning}`,
  );
  return [
    '# Configuration',
    wrap(INTRODUCTION),
    list(rows),
    wrap(ENGINES),
    '## What sources may read',
    wrap(WHAT_SOURCES_MAY_READ),
    '### GITHUB_TOKEN',
    list(GITHUB_TOKEN),
    '### ALLOW_FILE_URLS',
    list(FILE_URLS),
  ]
    .join('\n\n')
    .concat('\n');
}

function defaultOf(variable: Variable<unknown>): string {
  if (variable.fallback !== undefined) return `default \`${variable.fallback}\``;
  return variable.secret ? 'secret, no default' : 'no default';
}

function list(items: readonly string[]): string {
  return items.map((item) => wrap(`- ${item}`, '  ')).join('\n');
}

/** Breaks text into lines of at most 100 columns; a longer word or code has a line of its own. */
function wrap(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/(?:`[^`]*`|[^` ])+/g) ?? []) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent + word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}
