import type { AppendOutcome, AppendRequest, CommittedEvents, CommittedGroup } from './log-protocol.js';
import { categoryOf } from './log-schema.js';
import { isStorageFull } from './sqlite-fault.js';
import type { SqliteLog } from './sqlite-log.js';

/** A transaction takes no more events than this; what is over goes into the next one. */
const GROUP_EVENTS = 1_000;

/**
 * Collects appends while a transaction commits and writes them together in the next one: one fsync of the log and one of
 * the witness serve all of them.
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

  /** @returns false when the log must not be used any more. */
  private commit(group: readonly [number, AppendRequest][]): boolean {
    let outcomes: readonly AppendOutcome[];
    try {
      const appends = group.map(([, append]) => append);
      outcomes = this.log.append(appends, Date.now());
    } catch (error) {
      if (!isStorageFull(error)) {
        this.fail(error);
        return false;
      }
      outcomes = group.map(() => ({ kind: 'storage-full' }));
    }
    this.tell({
      head: this.log.head,
      outcomes: group.map(([request], index) => [request, outcomes[index] ?? { kind: 'storage-full' }]),
      events: group.flatMap(([, append], index) => committedEvents(append, outcomes[index])),
    });
    return true;
  }
}

function committedEvents({ stream, events }: AppendRequest, outcome: AppendOutcome | undefined): CommittedEvents[] {
  if (outcome?.kind !== 'appended') return [];
  return [{ position: outcome.position, category: categoryOf(stream), types: events.map(({ type }) => type) }];
}

function groupLength(waiting: readonly [number, AppendRequest][]): number {
  let events = 0;
  const over = waiting.findIndex(([, append]) => (events += append.events.length) > GROUP_EVENTS);
  return over < 0 ? waiting.length : Math.max(1, over);
}
