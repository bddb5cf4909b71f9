import { isFootnoteError } from '#contracts';
import type { SentenceEncoder } from '#models';
import { type Logger, sleep } from '#platform';
import type { LiveSource, SearchIndex } from '#search-index';

export interface RefinerDependencies {
  readonly index: Pick<SearchIndex, 'sentences' | 'generations'>;
  readonly encoder: SentenceEncoder | null;
  readonly logger: Logger;
  /** Reports whether other work should come first. */
  readonly isBusy: () => boolean;
  /** Reports whether a search is at work, or ended a moment ago. */
  readonly isSearching: () => boolean;
}

/** Passages that are stored together; a stop loses at most these. */
const BATCH = 32;
/** Pause while there is nothing to embed, or while other work comes first. */
const PAUSE_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Longest wait of a passage for searches, so that a stream of them does not end the refinement. */
const LONGEST_YIELD_MS = 250;
const YIELD_POLL_MS = 10;

/**
 * Embeds the passages of loaded generations, in batches, after they are published. A newer
 * generation comes before an older one from the next batch on. Stored batches are never repeated.
 * Each passage lets searches pass first, for a while.
 */
export class Refiner {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly dependencies: RefinerDependencies) {}

  /** Starts; does nothing without an encoder. */
  start(): void {
    if (this.dependencies.encoder && this.dependencies.index.sentences) this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let failures = 0;
    while (!signal.aborted) {
      try {
        const isDone = await this.batch();
        failures = 0;
        if (isDone) await sleep(PAUSE_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const known = isFootnoteError(error, 'engine_unavailable');
        this.dependencies.logger.warn(
          { err: error, failures, known },
          'sentence vectors: a batch failed; it is retried',
        );
        const wait = Math.min(LONGEST_WAIT_MS, PAUSE_MS * 2 ** Math.min(failures, 6));
        await sleep(wait, signal).catch(() => undefined);
      }
    }
  }

  /** @returns true if nothing is left to embed for now. */
  private async batch(): Promise<boolean> {
    const { index, encoder, isBusy } = this.dependencies;
    const { sentences } = index;
    if (!sentences || !encoder || isBusy()) return true;
    const batch = await sentences.next(newestFirst(await index.generations()), BATCH);
    if (!batch) return true;
    const vectors: Float32Array[] = [];
    for (const passage of batch.passages) {
      await this.letSearchesPass();
      vectors.push(await encoder.embedPassage(passage));
    }
    await sentences.add(batch, vectors);
    return false;
  }

  /** @throws the reason of the stop. */
  private async letSearchesPass(): Promise<void> {
    const { signal } = this.stopping;
    signal.throwIfAborted();
    const end = performance.now() + LONGEST_YIELD_MS;
    while (this.dependencies.isSearching() && performance.now() < end)
      await sleep(YIELD_POLL_MS, signal);
  }
}

/**
 * Orders loaded generations: the newest of each source first. The older ones follow, since a replay
 * of a receipt may need their vectors after they were lost.
 */
function newestFirst(sources: readonly LiveSource[]): LiveSource[] {
  const newest = new Map<string, LiveSource>();
  for (const source of sources) {
    const key = `${source.tenantId}/${source.sourceId}`;
    const known = newest.get(key);
    if (!known || known.generation < source.generation) newest.set(key, source);
  }
  const first = new Set(newest.values());
  return [...first, ...sources.filter((source) => !first.has(source))];
}
