import { cpus, release, totalmem } from 'node:os';

/** One measured figure. */
export interface Figure {
  readonly what: string;
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

export function machine(versions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const processors = cpus();
  return {
    processors: `${processors.length} × ${processors[0]?.model ?? 'unknown'}`,
    memory: `${(totalmem() / 1024 ** 3).toFixed(0)} GiB`,
    system: `${process.platform} ${release()}`,
    node: process.versions.node,
    ...versions,
  };
}

/** The table as it stands in docs/benchmarks.md. */
export function markdown(report: Report): string {
  const rows = report.figures.map(
    ({ what, measured, target, met }) =>
      `| ${what} | ${measured} | ${target ?? ''} | ${met === undefined ? '' : met ? 'met' : '**missed**'} |`,
  );
  return [
    ...Object.entries(report.machine).map(([name, value]) => `- ${name}: ${value}`),
    ...report.corpus.map((line) => `- corpus: ${line}`),
    '',
    '| work | measured | to reach | |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
