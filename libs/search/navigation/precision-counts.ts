import type { Precision, PrecisionCounts } from '#contracts/http/index';

/** Returns the number of entries of each precision. */
export function precisionCounts(
  entries: readonly { readonly precision: Precision }[],
): PrecisionCounts {
  const counts = { precise: 0, resolved: 0, name: 0 };
  for (const { precision } of entries) counts[precision] += 1;
  return counts;
}
