import type { TableSize } from '#read-model';

import type { DoctorCheck } from './doctor-check.js';

/** Maximum size of a table relative to its rows. */
const MAX_BLOAT = 2;
/** Smaller tables are a few pages that are reused; their ratio is meaningless. */
const MIN_BYTES = 8 * 1024 ** 2;
const MIB = 1024 ** 2;
const NAME = 'size of the read models';

/** Warns of tables of more than twice the size of their rows. */
export async function tableSizeCheck(subjects: {
  tableSizes(): Promise<readonly TableSize[]>;
}): Promise<DoctorCheck> {
  let sizes: readonly TableSize[];
  try {
    sizes = await subjects.tableSizes();
  } catch (error) {
    return {
      name: NAME,
      state: 'failed',
      detail: error instanceof Error ? error.message : String(error),
    };
  }
  const bloated = sizes.filter(
    ({ diskBytes, liveBytes }) => diskBytes >= MIN_BYTES && diskBytes > MAX_BLOAT * liveBytes,
  );
  const all = sizes.reduce((sum, { diskBytes, indexBytes }) => sum + diskBytes + indexBytes, 0);
  const largest = sizes.toSorted((a, b) => b.diskBytes - a.diskBytes).slice(0, 3);
  const detail = `${mib(all)} with indexes; ${(bloated.length > 0 ? bloated : largest).map(described).join(', ')}`;
  if (bloated.length === 0) return { name: NAME, state: 'ok', detail };
  return {
    name: NAME,
    state: 'warning',
    detail: `${detail}; idle tables are vacuumed, \`npm run rebuild\` rewrites them`,
  };
}

function described({ table, diskBytes, liveBytes }: TableSize): string {
  return `${table} ${mib(diskBytes)} (live ${mib(liveBytes)})`;
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
