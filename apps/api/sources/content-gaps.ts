import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';

import { LOGGER, type Logger } from '#platform';
import { type ContentGapView, listContentGaps } from '#read-model';
import type { LiveSource } from '#search-index';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';

/**
 * From what was asked last until it is asked again without a sign that something changed: a sign
 * may be lost.
 */
const REFRESH_MS = 30_000;
/**
 * Newer rows than this are not read again because a search failed, nor because the index moved on.
 */
const FRESH_MS = 250;
/**
 * A reading goes over all generations: of the time, at most one part in so many goes into readings.
 */
const SHARE = 20;

/**
 * The generations with missing content, in memory, since searches ask about each live source. The
 * log does not record them, so no subscription exists. They are read from the rows of the index
 * projection whenever that reports a change.
 */
@Injectable()
export class ContentGaps implements OnApplicationBootstrap, OnApplicationShutdown {
  private gaps: ReadonlyMap<string, ContentGapView> = new Map();
  private reading: Promise<void> | undefined;
  /** Something changed since the reading under way began. */
  private changed = false;
  private readAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  /** Duration of the last read, milliseconds. */
  private took = 0;
  private stopListening: () => void = () => undefined;

  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.stopListening = this.readModel.onProgress('generations', () => this.refreshSoon());
    this.timer = setInterval(() => void this.refresh(), REFRESH_MS);
    this.timer.unref();
    void this.refresh();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopListening();
    clearInterval(this.timer);
    clearTimeout(this.soon);
    await this.reading;
  }

  /** True if no content is missing. */
  get isEmpty(): boolean {
    return this.gaps.size === 0;
  }

  /** Returns the missing content of a generation; undefined if nothing is missing. */
  of(source: LiveSource): ContentGapView | undefined {
    return this.gaps.get(keyOf(source));
  }

  /**
   * Returns whether a generation cannot be searched because its content is missing, however long
   * one waits.
   */
  isLost(source: LiveSource): boolean {
    return this.of(source)?.searchable === false;
  }

  /** Reads what is missing by now. Read models that are away leave what was known. */
  refresh(): Promise<void> {
    this.changed = true;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /** The same, unless that was just done: for a search that failed, of which there may be many. */
  async refreshUnlessFresh(): Promise<void> {
    if (performance.now() - this.readAt > FRESH_MS) await this.refresh();
  }

  /**
   * Reads at once, or together with what changes in a moment when that was just done: many
   * generations may load at once.
   */
  private refreshSoon(): void {
    if (this.soon) return;
    const wait = this.readAt + Math.max(FRESH_MS, SHARE * this.took) - performance.now();
    if (wait <= 0) return void this.refresh();
    this.soon = setTimeout(() => {
      this.soon = undefined;
      void this.refresh();
    }, wait);
    this.soon.unref();
  }

  private async read(): Promise<void> {
    while (this.changed) {
      this.changed = false;
      const started = performance.now();
      try {
        const rows = (await this.readModel.asOf('generations', listContentGaps)).rows;
        this.gaps = new Map(rows.map((row) => [rowKey(row), row]));
      } catch (error) {
        this.logger.debug({ error: String(error) }, 'what content is missing could not be read');
      }
      this.readAt = performance.now();
      this.took = this.readAt - started;
    }
  }
}

function keyOf({ tenantId, sourceId, generation }: LiveSource): string {
  return `${tenantId}/${sourceId}/${generation}`;
}

function rowKey({ tenant_id, source_id, generation }: ContentGapView): string {
  return `${tenant_id}/${source_id}/${generation}`;
}
