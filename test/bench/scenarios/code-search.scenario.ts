import { basename, join } from 'node:path';

import { documentLines, type QueryNode, type ScannedDocument } from '#code-search';
import { matchDocuments } from '#code-search/match/match-documents';
import { QueryMatcher } from '#code-search/match/query-matcher';
import type { LineExpression } from '#code-search/pattern/line-engine.port';
import { RustLineEngine } from '#code-search/pattern/rust-line-engine';

import { codePatterns } from '../code-patterns.js';
import { processorSeconds } from '../process-time.js';
import type { Figure } from '../report.js';
import { textFiles } from '../repository-files.js';
import { ripgrepPlaces, ripgrepVersion } from '../ripgrep.js';
import type { BenchContext, Scenario } from './scenario.js';

/** Patterns of each repository. */
const PATTERNS = 170;
const UNLIMITED = { contextLines: 0, maxLines: Number.MAX_SAFE_INTEGER, isLate: () => false };

/**
 * Compares the paths and lines that the matcher of code search finds with those of ripgrep, on the
 * text files of each repository. It reads the files themselves, so that only the matcher counts.
 */
export const codeSearchScenario: Scenario = {
  name: 'code-search',
  mustHold: true,
  run({ repositories, scratch, rounds = PATTERNS, seed = 1, say, note }: BenchContext) {
    note('ripgrep', ripgrepVersion());
    const figures = repositories.map((repository) => {
      const folder = join(scratch, `code-${basename(repository)}`);
      const documents = documentsOf(repository, folder);
      const figure = compared(basename(repository), folder, documents, rounds, seed);
      say(`${figure.what}: ${figure.measured}`);
      return figure;
    });
    return Promise.resolve(figures);
  },
};

function documentsOf(repository: string, folder: string): readonly ScannedDocument[] {
  return textFiles(repository, 'HEAD', folder).map(({ path, content }) => ({
    path,
    text: { text: content, starts: [0] },
  }));
}

function compared(
  name: string,
  folder: string,
  documents: readonly ScannedDocument[],
  count: number,
  seed: number,
): Figure {
  const texts = documents.map(({ text }) => documentLines(text).lines.text);
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

function now(): number {
  return processorSeconds(process.pid) ?? 0;
}
