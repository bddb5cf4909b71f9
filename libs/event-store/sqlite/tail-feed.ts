import type { LogGrowth, LogRow, ProposedRow } from './log-protocol.js';
import type { LogTail } from './log-tail.js';

interface Sent {
  readonly stream: string;
  readonly rows: readonly ProposedRow[];
}

/**
 * Feeds the tail with what this process appends: the texts are here already, so the log's thread
 * only has to say where they stand, and sends none of them back.
 */
export class TailFeed {
  private readonly sent = new Map<number, Sent>();
  private lastTag = 0;

  constructor(private readonly tail: LogTail) {}

  /** An append is about to be sent. @returns the tag that its request carries. */
  sending(stream: string, rows: readonly ProposedRow[]): number {
    const tag = (this.lastTag += 1);
    this.sent.set(tag, { stream, rows });
    return tag;
  }

  /**
   * Its outcome is known here, or nobody waits for it any more: where it is written even so, the
   * tail begins anew after it.
   */
  settled(tag: number): void {
    this.sent.delete(tag);
  }

  grew({ head, recordedAt, written }: LogGrowth): void {
    for (const { tag, revision, position } of written) {
      // A repeated append is answered by where it has stood all along.
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
