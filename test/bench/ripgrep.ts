import { spawnSync } from 'node:child_process';

import type { LineExpression } from '#code-search/pattern/line-engine.port';

const MOST_OUTPUT_BYTES = 512 * 1024 * 1024;
/** Searches all files as they are, and prints the path and number of each line. */
const EVERY_FILE = ['--no-config', '-uuu', '--no-heading', '--color=never'];

/** Returns the version of ripgrep. @throws Error if it is not installed. */
export function ripgrepVersion(): string {
  return ripgrep(['--version']).split('\n')[0] ?? '';
}

/** Runs ripgrep for all lines with a match, and reads nothing but their number. */
export function ripgrepLines(folder: string, expression: LineExpression): number {
  const options = [...EVERY_FILE, '--line-number', ...optionsOf(expression)];
  const output = ripgrep([...options, '--regexp', expression.pattern, '.'], folder);
  return output === '' ? 0 : output.split('\n').length - 1;
}

/** Returns `path:line` of each line with a match, in the files of a folder. */
export function ripgrepPlaces(folder: string, expression: LineExpression): ReadonlySet<string> {
  const options = [...EVERY_FILE, '--line-number', '--null', '-M1', ...optionsOf(expression)];
  const output = ripgrep([...options, '--regexp', expression.pattern, '.'], folder);
  const places = output.matchAll(/^(?:\.\/)?([^\0\n]+)\0(\d+):/gm);
  return new Set(Array.from(places, ([, path, line]) => `${path}:${line}`));
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
