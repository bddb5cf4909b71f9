import { Inject, Injectable } from '@nestjs/common';

import type { KeyView } from '#contracts/http/index';
import { readEvent } from '#event-store';
import { lastRecords, pastRecords } from '#read-model';

import { AuditedEvents } from '../audit/audited-events.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import type { Moment } from './moments.js';

const DEFINING = ['ApiKeyIssued', 'ApiKeyRevoked'] as const;

/** Returns API keys as they were at a moment. */
@Injectable()
export class PastKeys {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly events: AuditedEvents,
  ) {}

  /** Returns every key that the tenant had issued, newest first. */
  async list(tenantId: string, { seq }: Moment): Promise<KeyView[]> {
    if (seq === null) return [];
    const defining = await this.readModel.ask(pastRecords, tenantId, { seq, types: DEFINING });
    const targets = defining.flatMap(({ type, target }) =>
      type === 'ApiKeyIssued' && target !== null ? [target] : [],
    );
    const uses = await this.readModel.ask(lastRecords, tenantId, seq, 'ApiKeyUsed', targets);
    const keys = new Map<string, KeyView>();
    for (const { event: recorded } of await this.events.of([...defining, ...uses])) {
      const event = readEvent(recorded);
      if (event?.type === 'ApiKeyIssued') {
        const { key_id: id, name, prefix, scopes, expires_at } = event.data;
        const unused = { last_used_at: null, revoked_at: null };
        const created_at = event.occurred_at;
        keys.set(id, { id, name, prefix, scopes: [...scopes], created_at, expires_at, ...unused });
      } else if (event?.type === 'ApiKeyRevoked' || event?.type === 'ApiKeyUsed') {
        const key = keys.get(event.data.key_id);
        if (!key) continue;
        if (event.type === 'ApiKeyUsed') key.last_used_at = event.data.used_at;
        else key.revoked_at ??= event.occurred_at;
      }
    }
    return [...keys.values()].reverse();
  }
}
