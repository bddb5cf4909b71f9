import { memoryKiB } from '#test/support/process-memory';

/** Percentiles of a list of measurements. */
export interface Distribution {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export function distribution(values: readonly number[]): Distribution {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return {
    count: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: sorted.at(-1) ?? 0,
  };
}

/** Milliseconds that `work` took, with its result. */
export async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly milliseconds: number; readonly result: T }> {
  const started = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - started, result };
}

/** Runs `total` calls from `clients` callers at once and returns the milliseconds of each call. */
export async function inParallel(
  clients: number,
  total: number,
  call: (index: number) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const caller = async () => {
    while (next < total) {
      const index = next;
      next += 1;
      times.push((await timed(() => call(index))).milliseconds);
    }
  };
  await Promise.all(Array.from({ length: clients }, caller));
  return times;
}

/** Resident memory of a process in MiB, or null where the system does not report it. */
export function residentMiB(pid: number): number | null {
  const resident = memoryKiB('VmRSS', pid);
  return resident === null ? null : resident / 1024;
}
