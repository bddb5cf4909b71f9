import type {
  AppendOutcome,
  AppendRequest,
  CommittedGroup,
  WrittenAppend,
} from './log-protocol.js';
import { isStorageFull } from './sqlite-fault.js';
import type { SqliteLog } from './sqlite-log.js';

/** Maximum number of events of a transaction; the rest goes into the next one. */
const GROUP_EVENTS = 1_000;

/**
 * Collects appends while a transaction commits and writes them together in the next one. All of
 * them share one fsync of the log and one of the anchor.
 */
export class GroupCommit {
  private waiting: [number, AppendRequest][] = [];
  private scheduled = false;

  constructor(
    private readonly log: Pick<SqliteLog, 'append' | 'head'>,
    private readonly tell: (group: CommittedGroup) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  add(request: number, append: AppendRequest): void {
    this.waiting.push([request, append]);
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Writes everything that waits. */
  flush(): void {
    this.scheduled = false;
    while (this.waiting.length > 0) {
      if (!this.commit(this.waiting.splice(0, groupLength(this.waiting)))) return;
    }
  }

  /** @returns false if the log must not be used any more. */
  private commit(group: readonly [number, AppendRequest][]): boolean {
    let outcomes: readonly AppendOutcome[];
    const recordedAt = Date.now();
    try {
      const appends = group.map(([, append]) => append);
      outcomes = this.log.append(appends, recordedAt);
    } catch (error) {
      if (!isStorageFull(error)) {
        this.fail(error);
        return false;
      }
      outcomes = group.map(() => ({ kind: 'storage-full' }));
    }
    this.tell({
      head: this.log.head,
      recordedAt,
      outcomes: group.map(([request], index) => [
        request,
        outcomes[index] ?? { kind: 'storage-full' },
      ]),
      written: group.flatMap(([, { tag }], index) => writtenBy(tag, outcomes[index])),
    });
    return true;
  }
}

function writtenBy(tag: number, outcome: AppendOutcome | undefined): WrittenAppend[] {
  if (outcome?.kind !== 'appended') return [];
  return [{ tag, revision: outcome.revision, position: outcome.position }];
}

function groupLength(waiting: readonly [number, AppendRequest][]): number {
  let events = 0;
  const over = waiting.findIndex(([, append]) => (events += append.events.length) > GROUP_EVENTS);
  return over < 0 ? waiting.length : Math.max(1, over);
}
