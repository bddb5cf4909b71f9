import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

import type { QueryNode, ScannedDocument } from '#code-search';
import { matchDocuments } from '#code-search/match/match-documents';
import { QueryMatcher } from '#code-search/match/query-matcher';
import type { LineExpression } from '#code-search/pattern/line-engine.port';
import { RustLineEngine } from '#code-search/pattern/rust-line-engine';

import { codePatterns } from '../code-patterns.js';
import { processorSeconds } from '../process-time.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

/** Patterns of each repository. */
const PATTERNS = 170;
const MOST_FILE_BYTES = 2 * 1024 * 1024;
const MOST_OUTPUT_BYTES = 512 * 1024 * 1024;
const UNLIMITED = { contextLines: 0, maxLines: Number.MAX_SAFE_INTEGER, isLate: () => false };

/**
 * Compares the paths and lines that the matcher of code search finds with those of ripgrep, on the
 * text files of each repository. It reads the files themselves, so that only the matcher counts.
 */
export const codeSearchScenario: Scenario = {
  name: 'code-search',
  mustHold: true,
  run({ repositories, scratch, rounds = PATTERNS, seed = 1, say, note }: BenchContext) {
    note('ripgrep', ripgrep(['--version']).split('\n')[0] ?? '');
    const figures = repositories.map((repository) => {
      const folder = join(scratch, `code-${basename(repository)}`);
      const documents = textFiles(repository, folder);
      const figure = compared(basename(repository), folder, documents, rounds, seed);
      say(`${figure.what}: ${figure.measured}`);
      return figure;
    });
    return Promise.resolve(figures);
  },
};

/** Checks the repository's last commit out and keeps its text files alone. */
function textFiles(repository: string, folder: string): readonly ScannedDocument[] {
  mkdirSync(folder, { recursive: true });
  const archive = ['-C', repository, 'archive', '--format=tar', 'HEAD'];
  const tar = spawnSync('git', archive, { maxBuffer: 4 * MOST_OUTPUT_BYTES });
  if (tar.status !== 0) throw new Error(`git archive failed: ${String(tar.stderr)}`);
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: tar.stdout });
  if (unpacked.status !== 0) throw new Error(`tar failed: ${String(unpacked.stderr)}`);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? textOf(file) : undefined;
      if (content === undefined) rmSync(file);
      const pieces = [{ startLine: 1, content: content ?? '', symbol: undefined }];
      return content === undefined ? [] : [{ path: relative(folder, file), pieces }];
    });
}

/** Returns the lines of a file that the index would take; undefined for others. */
function textOf(file: string): string | undefined {
  if (statSync(file).size > MOST_FILE_BYTES) return undefined;
  const bytes = readFileSync(file);
  const text = bytes.toString();
  const isText = !bytes.includes(0) && Buffer.from(text).equals(bytes) && text[0] !== '\ufeff';
  return isText && text !== '' ? text.replace(/\n$/, '') : undefined;
}

function compared(
  name: string,
  folder: string,
  documents: readonly ScannedDocument[],
  count: number,
  seed: number,
): Figure {
  const texts = documents.flatMap(({ pieces }) => pieces.map(({ content }) => content));
  const patterns = codePatterns(texts, count, seed);
  const different: string[] = [];
  let lines = 0;
  const seconds = { ours: 0, ripgrep: 0 };
  for (const expression of patterns) {
    const start = now();
    const ours = placesOf(documents, expression);
    const middle = now();
    const theirs = ripgrepPlaces(folder, expression);
    seconds.ours += middle - start;
    seconds.ripgrep += now() - middle;
    lines += theirs.size;
    const isEqual = ours.size === theirs.size && [...ours].every((place) => theirs.has(place));
    if (!isEqual) different.push(JSON.stringify(expression));
  }
  const equal = patterns.length - different.length;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const of = `${documents.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${lines} lines`;
  const time = `processor ${seconds.ours.toFixed(1)} s, ripgrep ${seconds.ripgrep.toFixed(1)} s`;
  return {
    what: `code search equals ripgrep: ${name}`,
    measured: `${equal} of ${patterns.length} patterns (${of}; ${time})`,
    target: 'all',
    met: different.length === 0,
    raw: {
      equal,
      patterns: patterns.length,
      lines,
      bytes,
      different: different.join(' '),
      ...seconds,
    },
  };
}

function placesOf(
  documents: readonly ScannedDocument[],
  expression: LineExpression,
): ReadonlySet<string> {
  const root: QueryNode = { kind: 'term', field: 'content', expression, at: 0 };
  const matcher = new QueryMatcher(root, new RustLineEngine());
  const found = matchDocuments(documents, matcher, UNLIMITED);
  matcher.free();
  return new Set(
    found.documents.flatMap(({ index, lines }) =>
      lines.map(({ number }) => `${documents[index]?.path}:${number}`),
    ),
  );
}

function ripgrepPlaces(folder: string, expression: LineExpression): ReadonlySet<string> {
  const { pattern, regex, caseSensitive, word } = expression;
  const options = [
    ...(regex ? [] : ['--fixed-strings']),
    ...(caseSensitive ? ['--case-sensitive'] : ['--ignore-case']),
    ...(word ? ['--word-regexp'] : []),
  ];
  const fixed = ['--no-config', '-uuu', '--no-heading', '--line-number', '--null', '--color=never'];
  const output = ripgrep([...fixed, '-M1', ...options, '--regexp', pattern, '.'], folder);
  const places = output.matchAll(/^(?:\.\/)?([^\0\n]+)\0(\d+):/gm);
  return new Set(Array.from(places, ([, path, line]) => `${path}:${line}`));
}

function ripgrep(options: readonly string[], cwd?: string): string {
  const found = spawnSync('rg', options, { cwd, maxBuffer: MOST_OUTPUT_BYTES, encoding: 'utf8' });
  if (found.error) throw new Error('ripgrep is missing; install the package ripgrep');
  if (found.status === 2) throw new Error(`ripgrep failed: ${found.stderr}`);
  return found.stdout;
}

function now(): number {
  return processorSeconds(process.pid) ?? 0;
}
