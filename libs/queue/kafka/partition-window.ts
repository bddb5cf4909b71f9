/**
 * The taken records of one partition: those in hand, and the offset below which all have ended.
 * Only that offset is committed, so records of different keys may end in any order.
 */
export class PartitionWindow {
  /** In offset order. */
  private readonly inHand = new Set<bigint>();
  private readonly taken = new AbortController();
  private next: bigint;
  private committedOffset: bigint;

  constructor(
    readonly partition: number,
    first: bigint,
  ) {
    this.next = first;
    this.committedOffset = first;
  }

  /** Aborted when the partition goes to another consumer, or this one stops. */
  get signal(): AbortSignal {
    return this.taken.signal;
  }

  /** Records in hand. */
  get size(): number {
    return this.inHand.size;
  }

  /** The offset below which all records have ended. */
  get position(): bigint {
    for (const lowest of this.inHand) return lowest;
    return this.next;
  }

  /** The last position that the brokers have acknowledged. */
  get committed(): bigint {
    return this.committedOffset;
  }

  /**
   * @returns false for a record that this window already had: after a rebalance, reading starts at
   * the committed offset.
   */
  take(offset: bigint): boolean {
    if (offset < this.next) return false;
    this.inHand.add(offset);
    this.next = offset + 1n;
    return true;
  }

  /** Marks everything below `offset` as seen, including records that are never handed out. */
  passed(offset: bigint): void {
    if (offset > this.next) this.next = offset;
  }

  done(offset: bigint): void {
    this.inHand.delete(offset);
  }

  acknowledged(position: bigint): void {
    if (position > this.committedOffset) this.committedOffset = position;
  }

  /** Aborts the handlers of records in hand; nothing of this window is committed any more. */
  revoke(): void {
    this.taken.abort();
  }
}
