import type { DemoRepository } from './repository.js';

/** The parts of a search answer that the demo prints. */
export interface ShownResult {
  readonly content: string;
  readonly score: number;
  readonly citation: {
    readonly path: string;
    readonly symbol?: string;
    readonly start_line?: number;
    readonly end_line?: number;
    readonly version_ref: string;
  };
}

const EXCERPT_LINES = 4;

/**
 * Returns `path:line`, the form that editors and terminals open on a click; absolute if the files
 * are local.
 */
export function place(result: Pick<ShownResult, 'citation'>, repository: DemoRepository): string {
  const { path, start_line: line } = result.citation;
  const shown = repository.folder ? `${repository.folder}/${path}` : path;
  return line === undefined ? shown : `${shown}:${line}`;
}

/** Returns the ranked list, one block per result: place, symbol, score and the first lines. */
export function renderResults(results: readonly ShownResult[], repository: DemoRepository): string {
  return results.map((result, index) => renderResult(result, index + 1, repository)).join('\n');
}

function renderResult(result: ShownResult, rank: number, repository: DemoRepository): string {
  const symbol = result.citation.symbol ? `  ${result.citation.symbol}` : '';
  const excerpt = result.content
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, EXCERPT_LINES)
    .map((line) => `       │ ${line.slice(0, 110)}`);
  return [
    `  ${String(rank).padStart(2)}. ${place(result, repository)}${symbol}  (${result.score.toFixed(2)})`,
    ...excerpt,
    '',
  ].join('\n');
}
