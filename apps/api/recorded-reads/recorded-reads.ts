import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { canonicalJson } from '#audit';
import type { RecordedReadEvent } from '#contracts';
import { hourOfUse, recordedReadDecider } from '#domain';
import {
  commandContext,
  type CommandOrigin,
  EVENT_STORE,
  type EventStore,
  handleCommand,
} from '#event-store';
import { CLOCK, type Clock, growingCache, LOGGER, type Logger, uuidv5 } from '#platform';

import type { Caller } from '../auth/caller.js';

/** Time limit of one event, milliseconds. */
const WITHIN_MS = 2_000;
/** Recorded reads that this process remembers; beyond them it asks the log. */
const MAX_REMEMBERED = 100_000;

/** The subject of a read. */
export type ReadSubject =
  | { readonly kind: 'audit_trail'; readonly filter: Readonly<Record<string, unknown>> }
  | { readonly kind: 'receipt' | 'replay'; readonly receiptId: string }
  | { readonly kind: 'keys' | 'members' };

/** The caller of a request or an operator, as far as a recorded read needs them. */
export type Reader = Pick<Caller, 'tenantId' | 'actor' | 'requestId'> &
  Partial<Pick<Caller, 'http'>>;

/**
 * Records who reads the trail, receipts and lists of keys and members: one event per actor, subject
 * and hour (UTC), by all processes together.
 */
@Injectable()
export class RecordedReads {
  private readonly recorded = growingCache<true>(MAX_REMEMBERED);

  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'append' | 'read'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records a read before its answer is sent. The first read of an hour waits for the log; if the
   * log fails, the request continues and the next read records it.
   */
  async record(reader: Reader, subject: ReadSubject): Promise<void> {
    const data = eventOf(subject, hourStart(this.clock.now()));
    const { tenantId, actor } = reader;
    const read = uuidv5('read', tenantId, actor.type, actor.id, JSON.stringify(data));
    if (this.recorded.has(read)) return;
    try {
      await this.append(read, reader, data);
      this.recorded.set(read, true);
    } catch (error) {
      const fields = { err: error, request_id: reader.requestId, read: subject.kind };
      this.logger.warn(fields, 'audit: recording a read failed; retrying at the next read');
    }
  }

  private async append(read: string, reader: Reader, data: RecordedReadEvent): Promise<void> {
    await handleCommand({
      store: this.store,
      decider: recordedReadDecider,
      stream: `read-${read}`,
      expected: 'any',
      decide: (state) => recordedReadDecider.decide({ type: 'RecordRead', data }, state),
      context: {
        ...commandContext(this.clock, originOf(reader), read),
        deadline: this.clock.monotonic() + WITHIN_MS,
      },
      clock: this.clock,
    });
  }
}

/** Returns a reader as the origin of an event. */
export function originOf({ tenantId, actor, http, requestId }: Reader): CommandOrigin {
  return { tenant_id: tenantId, actor, correlation_id: requestId, ...(http && { http }) };
}

/** Returns the SHA-256 of a filter; the same for filters that differ in the order of fields. */
export function filterDigest(filter: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(given)))
    .digest('hex');
}

function eventOf(subject: ReadSubject, hour: string): RecordedReadEvent {
  switch (subject.kind) {
    case 'audit_trail':
      return {
        type: 'AuditTrailRead',
        data: { filter_digest: filterDigest(subject.filter), hour },
      };
    case 'receipt':
      return { type: 'ReceiptRead', data: { receipt_id: subject.receiptId, hour } };
    case 'replay':
      return { type: 'ReceiptReplayed', data: { receipt_id: subject.receiptId, hour } };
    case 'keys':
      return { type: 'KeysListed', data: { hour } };
    case 'members':
      return { type: 'MembersListed', data: { hour } };
  }
}

function hourStart(now: Date): string {
  return `${hourOfUse(now.toISOString())}:00:00.000Z`;
}
