/**
 * Returns the milliseconds that this thread spends on the processor for some synchronous work.
 * Other processes change that little, unlike the time on a clock, so that a bound far above it
 * holds on a busy machine too.
 */
export function threadMilliseconds(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
