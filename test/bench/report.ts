import { cpus, loadavg, release, totalmem } from 'node:os';

import { distribution } from './measure.js';

/** One measured figure. */
export interface Figure {
  readonly what: string;
  /** The measured subject, where a table compares several. */
  readonly subject?: string;
  /** As printed, with its unit. */
  readonly measured: string;
  /** The figure to reach, or what it is compared with; absent where there is none. */
  readonly target?: string;
  /** Whether the target was reached; absent without a target. */
  readonly met?: boolean;
  /** Raw numbers behind the printed one. */
  readonly raw: Readonly<Record<string, number | string>>;
}

/** Everything one run of the benchmarks found. */
export interface Report {
  readonly machine: Readonly<Record<string, string>>;
  readonly corpus: readonly string[];
  readonly figures: readonly Figure[];
}

export function machine(
  versions: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const processors = cpus();
  return {
    processors: `${processors.length} × ${processors[0]?.model ?? 'unknown'}`,
    memory: `${(totalmem() / 1024 ** 3).toFixed(0)} GiB`,
    system: `${process.platform} ${release()}`,
    node: process.versions.node,
    ...versions,
  };
}

/** Returns the load of the machine over 1, 5 and 15 minutes, as printed in a report. */
export function loadAverage(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
}

/** Returns the figure of the times of requests, in milliseconds. */
export function latency(what: string, times: readonly number[]): Figure {
  const { p50, p95, count } = distribution(times);
  const measured = `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (${count} requests)`;
  return { what, measured, raw: { p50, p95, count } };
}

/** The table as it stands in docs/evaluation/benchmarks.md. */
export function markdown(report: Report): string {
  const rows = report.figures
    .filter(({ subject }) => subject === undefined)
    .map(
      ({ what, measured, target, met }) =>
        `| ${what} | ${measured} | ${target ?? ''} | ${met === undefined ? '' : met ? 'met' : '**missed**'} |`,
    );
  const heading = ['| work | measured | to reach | |', '| --- | --- | --- | --- |'];
  return [
    ...Object.entries(report.machine).map(([name, value]) => `- ${name}: ${value}`),
    ...report.corpus.map((line) => `- corpus: ${line}`),
    '',
    ...(rows.length > 0 ? [...heading, ...rows, ''] : []),
    ...sideBySide(report.figures),
  ].join('\n');
}

/** A column a subject, a row a work, in the order of their first figures. */
function sideBySide(figures: readonly Figure[]): readonly string[] {
  const compared = figures.filter(({ subject }) => subject !== undefined);
  if (compared.length === 0) return [];
  const subjects = [...new Set(compared.map(({ subject }) => subject))];
  const cell = (what: string, column: string | undefined): string => {
    const figure = compared.find((each) => each.what === what && each.subject === column);
    if (!figure) return '–';
    const { measured, target, met } = figure;
    return target === undefined
      ? measured
      : `${measured} (${target}: ${met ? 'met' : '**missed**'})`;
  };
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['work', ...subjects.map(String)]),
    line(['---', ...subjects.map(() => '---')]),
    ...[...new Set(compared.map(({ what }) => what))].map((what) =>
      line([what, ...subjects.map((subject) => cell(what, subject))]),
    ),
    '',
  ];
}
