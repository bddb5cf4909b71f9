const REPORT_MS = 250;

/**
 * git overwrites its progress line by `\r`; the last whole one of a write is passed on, a few times
 * a second.
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
