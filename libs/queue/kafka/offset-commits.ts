import { type Logger, sleep } from '#platform';

import type { GroupMember } from './group-member.js';
import type { PartitionWindow } from './partition-window.js';

const PAUSE_AFTER_FAILURE_MS = 300;

/**
 * Commits the positions of the windows: one request at a time, with all positions that changed
 * during the last one.
 */
export class OffsetCommits {
  private wanted = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly member: Pick<GroupMember, 'commit'>,
    private readonly windows: ReadonlyMap<number, PartitionWindow>,
    private readonly logger: Logger,
    /** Ends the attempts. */
    private readonly signal: AbortSignal,
  ) {}

  /** Requests a commit; to be called when a window's position has changed. */
  poke(): void {
    this.wanted = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      if (this.wanted && !this.signal.aborted) this.poke();
    });
  }

  /** Resolves when nothing is left to commit, or the attempts ended. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  private async run(): Promise<void> {
    while (this.wanted && !this.signal.aborted) {
      this.wanted = false;
      const moved = [...this.windows.values()].filter(
        ({ position, committed }) => position > committed,
      );
      if (moved.length === 0) continue;
      const offsets = moved.map((window) => ({
        window,
        partition: window.partition,
        offset: window.position,
      }));
      try {
        await this.member.commit(offsets);
        for (const { window, offset } of offsets) window.acknowledged(offset);
      } catch (error) {
        this.logger.debug({ err: error }, 'queue: offsets were not committed; retrying');
        this.wanted = true;
        await sleep(PAUSE_AFTER_FAILURE_MS, this.signal);
      }
    }
  }
}
