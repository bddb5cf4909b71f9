import { spawnSync } from 'node:child_process';

import type { LineExpression } from '#code-search/pattern/line-engine.port';

const MOST_OUTPUT_BYTES = 512 * 1024 * 1024;
/** Searches all files as they are, and prints the path and number of each line. */
const EVERY_FILE = ['--no-config', '-uuu', '--no-heading', '--color=never'];

/** Returns the version of ripgrep. @throws Error if it is not installed. */
export function ripgrepVersion(): string {
  return ripgrep(['--version']).split('\n')[0] ?? '';
}

/** Returns `path:line` of each line with a match, in the files of a folder. */
export function ripgrepPlaces(folder: string, expression: LineExpression): ReadonlySet<string> {
  const options = [...EVERY_FILE, '--line-number', '--null', '-M1', ...optionsOf(expression)];
  const output = ripgrep([...options, '--regexp', expression.pattern, '.'], folder);
  const places = output.matchAll(/^(?:\.\/)?([^\0\n]+)\0(\d+):/gm);
  return new Set(Array.from(places, ([, path, line]) => `${path}:${line}`));
}

/** Returns the lines with a match as ripgrep prints them for people and agents. */
export function ripgrepText(
  folder: string,
  expression: LineExpression,
  more: readonly string[] = [],
): string {
  const options = ['--no-config', '--no-heading', '--color=never', '--line-number', ...more];
  return ripgrep(
    [...options, ...optionsOf(expression), '--regexp', expression.pattern, '.'],
    folder,
  );
}

function optionsOf({ regex, caseSensitive, word }: LineExpression): string[] {
  return [
    ...(regex ? [] : ['--fixed-strings']),
    ...(caseSensitive ? ['--case-sensitive'] : ['--ignore-case']),
    ...(word ? ['--word-regexp'] : []),
  ];
}

function ripgrep(options: readonly string[], cwd?: string): string {
  const found = spawnSync('rg', options, { cwd, maxBuffer: MOST_OUTPUT_BYTES, encoding: 'utf8' });
  if (found.error) throw new Error('ripgrep is missing; install the package ripgrep');
  if (found.status === 2) throw new Error(`ripgrep failed: ${found.stderr}`);
  return found.stdout;
}
