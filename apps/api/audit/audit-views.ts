import { Inject, Injectable } from '@nestjs/common';

import { type AuditRecord, auditRecord, NO_LEAF } from '#audit';
import type { RecordedEvent } from '#contracts';
import { type AuditRow, membersByIds } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { PersonalText } from '../people/accounts/personal-text.js';
import { AuditedEvents } from './audited-events.js';

/** Joins rows of the trail with their events, which only the log has, and with names of people. */
@Injectable()
export class AuditViews {
  constructor(
    private readonly events: AuditedEvents,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly personal: PersonalText,
  ) {}

  /** Returns the records of rows, in their order. */
  async of(tenantId: string, rows: readonly AuditRow[]): Promise<AuditRecord[]> {
    const names = await this.namesOf(tenantId, rows);
    const recorded = await this.events.of(rows);
    return recorded.map(({ row, event }) => view(row, event, names));
  }

  /** Names of the people among the actors, by user id; people whose key is gone have none. */
  private async namesOf(
    tenantId: string,
    rows: readonly AuditRow[],
  ): Promise<ReadonlyMap<string, string>> {
    const people = rows.filter(({ actor_type }) => actor_type === 'user');
    const ids = [...new Set(people.map(({ actor_id }) => actor_id))];
    if (ids.length === 0) return new Map();
    const members = await this.readModel.ask(membersByIds, tenantId, ids);
    const names = await Promise.all(
      members.map(async ({ user_id, address, display_name }) => {
        const person = { tenantId, userId: user_id };
        const name =
          display_name === null
            ? await this.personal.open(person, 'address', address)
            : await this.personal.open(person, 'display_name', display_name);
        return [user_id, name] as const;
      }),
    );
    return new Map(names.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}

/** The trail's own hashes are shown: a record that differs from them was altered in the log. */
function view(
  row: AuditRow,
  event: RecordedEvent,
  names: ReadonlyMap<string, string>,
): AuditRecord {
  const record = auditRecord(event, {
    seq: row.seq,
    prevHash: row.prev_hash === null ? NO_LEAF : hex(row.prev_hash),
    changes: row.changes ?? [],
    personName: names.get(row.actor_id) ?? null,
    hash: hex(row.hash),
  });
  return { ...record, recorded_at: row.recorded_at };
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
