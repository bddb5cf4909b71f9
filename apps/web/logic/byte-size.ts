const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Returns a number of bytes in the largest unit of which there is one: `100 GiB`, `7.9 KiB`. */
export function byteSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[unit]}`;
}
