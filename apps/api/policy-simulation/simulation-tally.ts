import type { ErrorCode } from '#contracts';
import type { PolicySimulationView, SimulatedEffect } from '#contracts/http/index';

const MOST_EXAMPLES = 20;

/** Counts the effects of a policy on searches. */
export class SimulationTally {
  private readonly counts = {
    simulated: 0,
    refused: 0,
    answered: 0,
    dropped: 0,
    added: 0,
    reordered: 0,
    unchanged: 0,
  };
  private readonly skipped = new Map<ErrorCode, number>();
  private readonly examples: PolicySimulationView['examples'][number][] = [];

  /** Counts a search by the ids of its chunks then and now, in the order of the results. */
  add(receiptId: string, before: readonly string[], after: readonly string[]): void {
    const effects = effectsOf(before, after);
    this.counts.simulated += 1;
    if (effects.length === 0) this.counts.unchanged += 1;
    for (const effect of effects) this.counts[effect] += 1;
    if (effects.length === 0 || this.examples.length === MOST_EXAMPLES) return;
    this.examples.push({
      receipt_id: receiptId,
      effects,
      results_before: before.length,
      results_after: after.length,
    });
  }

  /** Counts a search that could not be repeated. */
  skip(code: ErrorCode): void {
    this.skipped.set(code, (this.skipped.get(code) ?? 0) + 1);
  }

  /** Returns the counts so far. */
  view(): Omit<PolicySimulationView, 'changes' | 'complete'> {
    const skipped = [...this.skipped].map(([code, count]) => ({ code, count }));
    return { ...this.counts, skipped, examples: this.examples };
  }
}

function effectsOf(before: readonly string[], after: readonly string[]): SimulatedEffect[] {
  if (before.length > 0 && after.length === 0) return ['refused'];
  if (before.length === 0 && after.length > 0) return ['answered'];
  const kept = before.filter((id) => after.includes(id));
  const still = after.filter((id) => before.includes(id));
  const isReordered = kept.some((id, at) => still[at] !== id);
  return [
    ...(kept.length < before.length ? (['dropped'] as const) : []),
    ...(still.length < after.length ? (['added'] as const) : []),
    ...(isReordered ? (['reordered'] as const) : []),
  ];
}
