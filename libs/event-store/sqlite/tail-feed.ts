import type { LogGrowth, LogRow, ProposedRow } from './log-protocol.js';
import type { LogTail } from './log-tail.js';

interface Sent {
  readonly stream: string;
  readonly rows: readonly ProposedRow[];
}

/**
 * Feeds the tail with the appends of this process. Their texts are in memory already, so the log's
 * thread reports only their positions and sends no text back.
 */
export class TailFeed {
  private readonly sent = new Map<number, Sent>();
  private lastTag = 0;

  constructor(private readonly tail: LogTail) {}

  /**
   * Registers an append that is about to be sent.
   * @returns the tag of its request.
   */
  sending(stream: string, rows: readonly ProposedRow[]): number {
    const tag = (this.lastTag += 1);
    this.sent.set(tag, { stream, rows });
    return tag;
  }

  /**
   * Removes an append whose outcome is known, or for which no caller waits. If it is written
   * nevertheless, the tail restarts after it.
   */
  settled(tag: number): void {
    this.sent.delete(tag);
  }

  grew({ head, recordedAt, written }: LogGrowth): void {
    for (const { tag, revision, position } of written) {
      // A repeated append is answered by its original position.
      if (position <= this.tail.last) continue;
      const { stream, rows } = this.sent.get(tag) ?? { stream: '', rows: [] };
      if (position - rows.length !== this.tail.last) {
        this.tail.skipTo(position);
        continue;
      }
      rows.forEach((row, index) => {
        const before = rows.length - 1 - index;
        const placed: LogRow = {
          ...row,
          stream,
          revision: revision - before,
          position: position - before,
          recordedAt,
        };
        this.tail.add(placed);
      });
    }
    if (this.tail.last !== head) this.tail.skipTo(head);
  }
}
