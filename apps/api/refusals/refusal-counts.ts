import { type Actor, type HttpContext, MOST_REFUSAL_EVENTS, SYSTEM_TENANT } from '#contracts';
import { uuidv7 } from '#platform';

/** Different refusals that wait in this process; those beyond them are only counted. */
const MAX_ENTRIES = 20_000;
/** Tenants whose uncounted refusals are kept apart; the rest count to the operator's trail. */
const MAX_TENANTS = 10_000;
const MINUTE_MS = 60_000;

/** A refused request. */
export interface Refusal {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly code: string;
  readonly status: number;
  /** Method and pattern of the route. */
  readonly route: string;
  readonly http: HttpContext;
  readonly userId: string | null;
  readonly accountDigest: string | null;
  readonly sourceId: string | null;
}

/** Refusals of one actor with one code in one minute. */
export interface CountedRefusals {
  /** Identifies the event, so that a repeated append writes it once. */
  readonly commandId: string;
  readonly first: Refusal;
  readonly firstAt: string;
  /** Start of the minute (UTC). */
  readonly minute: string;
  count: number;
  /** Set when its event is first written: earlier refusals that no event counts. */
  uncounted?: number;
}

/**
 * Counts refusals in bounded memory: by tenant, actor, code and minute, at most
 * {@link MOST_REFUSAL_EVENTS} entries per tenant and minute.
 */
export class RefusalCounts {
  private readonly entries = new Map<string, CountedRefusals>();
  private readonly perTenant = new Map<string, number>();
  private readonly uncounted = new Map<string, number>();

  constructor(private readonly now: () => Date) {}

  get size(): number {
    return this.entries.size;
  }

  add(refusal: Refusal): void {
    const now = this.now();
    const minute = minuteOf(now);
    const { tenantId, actor, code, userId, sourceId } = refusal;
    const key = JSON.stringify([minute, tenantId, actor.type, actor.id, code, userId, sourceId]);
    const entry = this.entries.get(key);
    if (entry) {
      entry.count += 1;
      return;
    }
    const tenantMinute = `${minute} ${tenantId}`;
    const before = this.perTenant.get(tenantMinute) ?? 0;
    if (before >= MOST_REFUSAL_EVENTS || this.entries.size >= MAX_ENTRIES) {
      this.addUncounted(tenantId, 1);
      return;
    }
    this.perTenant.set(tenantMinute, before + 1);
    this.entries.set(key, {
      commandId: uuidv7(),
      first: refusal,
      firstAt: now.toISOString(),
      minute,
      count: 1,
    });
  }

  /** Counts refusals that get no event of their own. */
  addUncounted(tenantId: string, count: number): void {
    const isKept = this.uncounted.has(tenantId) || this.uncounted.size < MAX_TENANTS;
    const counted = isKept ? tenantId : SYSTEM_TENANT;
    this.uncounted.set(counted, (this.uncounted.get(counted) ?? 0) + count);
  }

  /** Returns the uncounted refusals of a tenant and forgets them. */
  takeUncounted(tenantId: string): number {
    const count = this.uncounted.get(tenantId) ?? 0;
    this.uncounted.delete(tenantId);
    return count;
  }

  /** Takes the entries of minutes that are over, or all entries; the oldest first. */
  take(all: boolean): CountedRefusals[] {
    const minute = minuteOf(this.now());
    const taken: CountedRefusals[] = [];
    for (const [key, entry] of this.entries) {
      if (!all && entry.minute >= minute) continue;
      this.entries.delete(key);
      this.perTenant.delete(`${entry.minute} ${entry.first.tenantId}`);
      taken.push(entry);
    }
    return taken;
  }

  /** Milliseconds until the minute is over. */
  untilMinuteEnds(): number {
    return MINUTE_MS - (this.now().getTime() % MINUTE_MS);
  }
}

function minuteOf(now: Date): string {
  return `${now.toISOString().slice(0, 16)}:00.000Z`;
}
