import type { CurrentDocument } from './document-watch.js';
import type { PartSlice } from './stage-tasks.js';

/**
 * Milliseconds after which a task ends behind the document that it is at: another tenant may wait
 * for its thread.
 */
const TURN_MS = 2_000;

export interface PartTurnOptions {
  /** Shows from outside at which document the thread is. */
  readonly current: CurrentDocument;
  /** Default {@link TURN_MS}. */
  readonly turnMs?: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Processes documents of a part one after the other, for one turn: at least one document, and no
 * further one once the turn is over. So a part occupies a thread for as long as its most expensive
 * document at most, even if many are expensive.
 *
 * @returns index of the document that the next turn begins with; null where the part is done.
 */
export async function partTurn<Document>(
  documents: readonly Document[],
  { from = 0, stuck = [] }: PartSlice,
  { current, turnMs = TURN_MS, now = () => performance.now() }: PartTurnOptions,
  work: (document: Document, wasStuck: boolean) => void | Promise<void>,
): Promise<number | null> {
  const caught = new Set(stuck);
  const end = now() + turnMs;
  try {
    for (const [index, document] of documents.entries()) {
      if (index < from) continue;
      if (index > from && now() >= end) return index;
      current.at(index);
      await work(document, caught.has(index));
    }
    return null;
  } finally {
    current.leave();
  }
}
