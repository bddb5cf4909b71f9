import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, type Position, validationFailed } from '#contracts';
import { CLOCK, type Clock } from '#platform';
import { listAuditRecords, recordsUntil } from '#read-model';

import { AuditedEvents } from '../audit/audited-events.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Projected } from '../write/projected.js';

/** A moment as a request names it. */
export interface AskedMoment {
  /** ISO 8601, inclusive. */
  readonly at?: string | undefined;
  /** Record of the audit trail, inclusive. */
  readonly seq?: number | undefined;
}

/** The fields of a request that name a moment. */
export interface AskedAsOf {
  readonly as_of?: string;
  readonly as_of_seq?: number;
}

/** The place of a moment in the log. */
export interface LogPlace {
  readonly position: Position;
  /** Recorded time of the last record, ISO 8601. */
  readonly recordedAt: string;
}

/** A moment in a tenant's history, whichever way it was named. */
export interface Moment {
  /** The last record of the audit trail that belongs to it; null before the first record. */
  readonly seq: number | null;
}

/** An answer with the moment that it is as of; undefined for the present. */
export interface Dated<Answer> {
  readonly answer: Answer;
  readonly moment: Moment | undefined;
}

/** Names of the fields that a moment comes from, for error messages. */
interface MomentFields {
  readonly at: string;
  readonly seq: string;
}

const AS_OF: MomentFields = { at: 'as_of', seq: 'as_of_seq' };

/**
 * Resolves moments of requests to records of the audit trail. The trail has every event of the
 * tenant in log order, and its recorded times never decrease.
 */
@Injectable()
export class Moments {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly projected: Projected,
    private readonly events: AuditedEvents,
  ) {}

  /** Returns the moment that `as_of` or `as_of_seq` names; undefined if the request names none. */
  async asked(tenantId: string, { as_of, as_of_seq }: AskedAsOf): Promise<Moment | undefined> {
    if (as_of === undefined && as_of_seq === undefined) return undefined;
    return this.at(tenantId, { at: as_of, seq: as_of_seq });
  }

  /**
   * Returns the moment; the present if neither field is given.
   * @throws FootnoteError `validation_failed` if both fields are given, or for a moment in the
   * future or after the newest record. `engine_unavailable` while the trail is behind the log.
   */
  async at(tenantId: string, { at, seq }: AskedMoment, fields = AS_OF): Promise<Moment> {
    if (at !== undefined && seq !== undefined)
      throw invalid(fields.seq, `must be absent where ${fields.at} is given`);
    if (at !== undefined && Date.parse(at) > this.clock.now().getTime())
      throw invalid(fields.at, `must not be in the future (got ${at})`);
    await this.upToDate();
    if (at !== undefined) return this.before(tenantId, new Date(at).toISOString());
    const newest = await this.before(tenantId);
    if (seq === undefined) return newest;
    if (newest.seq === null || seq > newest.seq)
      throw invalid(
        fields.seq,
        `must be at most ${newest.seq ?? 'none'}, the newest record (got ${seq})`,
      );
    return { seq };
  }

  /** Returns the place of the last record of a moment; undefined before the first. */
  async placeOf(tenantId: string, { seq }: Moment): Promise<LogPlace | undefined> {
    if (seq === null) return undefined;
    const page = { filter: {}, order: 'desc', limit: 1, after: seq + 1 } as const;
    const rows = await this.readModel.ask(listAuditRecords, tenantId, page);
    const [last] = await this.events.of(rows);
    return last && { position: last.event.position, recordedAt: last.row.recorded_at };
  }

  private async before(tenantId: string, moment?: string): Promise<Moment> {
    const records = await this.readModel.ask(recordsUntil, tenantId, moment);
    return { seq: records === 0 ? null : records - 1 };
  }

  /** Waits for the trail: an answer about the past must not change when its records arrive. */
  private async upToDate(): Promise<void> {
    if (await this.projected.caughtUp('audit_records')) return;
    throw new FootnoteError('engine_unavailable', 'The audit trail is behind; retry in 1 s', {
      retryAfter: 1,
    });
  }
}

function invalid(field: string, message: string): FootnoteError {
  return validationFailed([{ field, message }]);
}
