import { RANKING_WEIGHT_STEPS, RANKING_WEIGHTS, type RankingWeight } from './weights.js';

/** Returns `docs/ranking-weights.md`: the table of all weights, by step. */
export function rankingWeightsPage(): string {
  return `# Ranking weights

Generated from \`libs/retrieval/ranking/weights.ts\` by \`npm run docs\`; do not edit.

[search.md](search.md) explains the steps, [add-a-ranking-weight.md](how-to/add-a-ranking-weight.md)
how to add or measure a weight. A boost raises a score by that share of what it lacks to 1. A factor
multiplies it.

${RANKING_WEIGHT_STEPS.map(section).join('\n')}`;
}

function section(step: RankingWeight['step']): string {
  const rows = Object.entries<RankingWeight>(RANKING_WEIGHTS)
    .filter(([, weight]) => weight.step === step)
    .map(([name, { value, range, meaning }]) => [
      `\`${name}\``,
      String(Number(value.toFixed(4))),
      `${range[0]} to ${range[1]}`,
      meaning,
    ]);
  return `## ${step}\n\n${table(['weight', 'value', 'range', 'meaning'], rows)}\n`;
}

/** Returns a table whose columns are padded as Prettier pads them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
