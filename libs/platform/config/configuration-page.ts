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
  ].join('\n');
}

function defaultOf(variable: Variable<unknown>): string {
  if (variable.fallback !== undefined) return `default \`${variable.fallback}\``;
  return variable.secret ? 'secret, no default' : 'no default';
}
