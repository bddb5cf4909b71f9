import { UNSUPPORTED_VARIABLES, VARIABLES, type Variable } from './variables.js';

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
    'Engines on servers of their own come with a later version. Until then these variables stop the start when they are',
    `set: ${UNSUPPORTED_VARIABLES.map((name) => `\`${name}\``).join(', ')}.`,
    '',
  ].join('\n');
}

function defaultOf(variable: Variable<unknown>): string {
  if (variable.fallback !== undefined) return `default \`${variable.fallback}\``;
  return variable.secret ? 'secret, no default' : 'no default';
}
