import type { TableSize } from '#read-model';

import type { DoctorCheck } from './doctor-check.js';

/** A table may take so many times what its rows take. */
const MOST_BLOAT = 2;
/** Smaller tables are a few pages that are filled again; their ratio says nothing. */
const LEAST_BYTES = 8 * 1024 ** 2;
const MIB = 1024 ** 2;
const NAME = 'size of the read models';

/** Warns of tables that take more than twice the space of their rows. */
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
    ({ diskBytes, liveBytes }) => diskBytes >= LEAST_BYTES && diskBytes > MOST_BLOAT * liveBytes,
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
