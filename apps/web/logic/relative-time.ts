const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns the exact time in the zone of the reader: `2026-11-27 09:50:14`. */
export function exactTime(time: string): string {
  // The Swedish form is that of ISO 8601.
  return new Date(time).toLocaleString('sv-SE');
}

/** Returns the distance of a time in words, such as `3 hours ago` or `in 5 minutes`. */
export function relativeTime(time: string, now: number): string {
  const seconds = Math.round((Date.parse(time) - now) / 1_000);
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? 'in a moment' : 'just now';
}

/** Returns a wait in words: `in 90 seconds`, `in 15 hours`; never earlier than it ends. */
export function inWords(seconds: number): string {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  for (const [unit, length] of UNITS) {
    if (seconds >= 2 * length) return format.format(Math.ceil(seconds / length), unit);
  }
  return format.format(Math.ceil(seconds), 'second');
}
