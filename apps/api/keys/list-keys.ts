import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AsOfPageQuery, KeyList, KeyView } from '#contracts/http/index';
import { listApiKeys } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { KeyUsage } from '../auth/key-usage.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { type Dated, Moments } from '../history/moments.js';
import { PastKeys } from '../history/past-keys.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Handles } from '../use-cases/handles.js';

/** Returns a page of the caller's keys, now or as they were. */
export class ListKeys extends Query<Dated<KeyList>> {
  constructor(
    readonly caller: Caller,
    readonly page: AsOfPageQuery,
  ) {
    super();
  }
}

@Handles(ListKeys)
export class ListKeysHandler implements IQueryHandler<ListKeys> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly usage: KeyUsage,
    private readonly reads: RecordedReads,
    private readonly moments: Moments,
    private readonly past: PastKeys,
  ) {}

  async execute({ caller, page }: ListKeys): Promise<Dated<KeyList>> {
    const { tenantId } = caller;
    const moment = await this.moments.asked(tenantId, page);
    await this.reads.record(caller, { kind: 'keys' });
    const keys = moment ? await this.past.list(tenantId, moment) : await this.present(tenantId);
    const shown = keys.slice(page.skip, page.skip + page.limit);
    return { answer: { keys: shown, total: keys.length }, moment };
  }

  private async present(tenantId: string): Promise<KeyView[]> {
    const keys = await this.readModel.ask(listApiKeys, tenantId);
    return keys.map((key) => {
      const used =
        key.revoked_at === null ? this.usage.lastUse(key.id, key.last_used_at) : key.last_used_at;
      return { ...key, last_used_at: used };
    });
  }
}
