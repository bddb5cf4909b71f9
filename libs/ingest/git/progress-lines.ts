const REPORT_MS = 250;

/**
 * Returns a function that reports git's progress. git overwrites its progress line with `\r`. The
 * function reports the last line of a write that has a percentage, a few times a second.
 */
export function progressLines(report: (message: string) => void): (text: string) => void {
  let reported = -Infinity;
  return (text) => {
    const line = text.split(/[\r\n]/).findLast((part) => /\d%/.test(part));
    if (line === undefined || performance.now() - reported < REPORT_MS) return;
    reported = performance.now();
    report(
      line
        .replace(/^remote: /, '')
        .trim()
        .slice(0, 200),
    );
  };
}
