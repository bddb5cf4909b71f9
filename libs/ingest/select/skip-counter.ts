import type { SkipReason } from '../parse/content-skip.js';

/** Counts of skipped files by reason: `files_skipped` of a job and its parts. */
export class SkipCounter {
  private readonly counts = new Map<SkipReason, number>();

  add(reason: SkipReason): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Returns the counts as flat fields for `stage_details`: `{files_skipped: 3,
   * files_skipped_binary: 2, files_skipped_generated: 1}`.
   */
  details(): Readonly<Record<string, number>> {
    const parts = [...this.counts].map(
      ([reason, count]) => [`files_skipped_${reason}`, count] as const,
    );
    return { files_skipped: this.total, ...Object.fromEntries(parts) };
  }
}
