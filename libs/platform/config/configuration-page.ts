import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';

/** The text of `docs/configuration.md`, written from the table of variables. */
export function configurationPage(): string {
  const rows = Object.entries<Variable<unknown>>(VARIABLES).map(
    ([name, variable]) => `- \`${name}\` (${defaultOf(variable)}): ${variable.meaning}`,
  );
  return [
    '# Configuration',
    '',
    'Read once at start from the environment and from `.env` in the working folder; the environment wins. A bad value',
    'stops the start with one sentence that names the variable, what it got and what it takes. Written from',
    '`libs/platform/config/variables.ts` by `npm run docs`.',
    '',
    ...rows,
    '',
    'Each engine is chosen alone: one with an address is used there, one without is embedded in `DATA_DIR`. Several',
    'processes (`start:api`, `start:projector`, `start:pipeline`) need all five on servers: EventStoreDB, PostgreSQL,',
    'OpenSearch, Kafka and S3.',
    '',
    '## What sources may read',
    '',
    'A source shows its tenant all that the service can read at its address, so two settings decide about more than one',
    'tenant:',
    '',
    '- `GITHUB_TOKEN` is sent for sources of the tenants in `GITHUB_TOKEN_TENANTS` alone, and only to the origin of',
    '  `GITHUB_GIT_URL`. What another tenant has synced with it in an earlier version stays searchable until that tenant',
    '  or the operator deletes the source. Over ssh no key of the user that the service runs as is offered, so only',
    '  repositories that need none are read, or whose source has an `ssh_key` of its own. What a source is read with itself',
    '  ([private-repositories.md](private-repositories.md)) stays with its tenant and goes to its own host alone.',
    '- `ALLOW_FILE_URLS=true` opens every repository on the machine that the user of the service can read to every tenant:',
    '  it is for a service of one tenant. With several, name the folders that hold nothing but what all of them may read.',
    '  Links are followed before a folder is judged, when a source is registered and again right before it is fetched;',
    '  git is given the folder that was judged. Judged too are the folder that a `.git` file names, the repository of a',
    '  linked working tree and the objects that a repository borrows from another. Nobody who is not trusted with the',
    "  machine should write in such a folder: a race with the fetch, or a link deep inside a repository's own files, is",
    '  not seen.',
    '',
  ].join('\n');
}

function defaultOf(variable: Variable<unknown>): string {
  if (variable.fallback !== undefined) return `default \`${variable.fallback}\``;
  return variable.secret ? 'secret, no default' : 'no default';
}
