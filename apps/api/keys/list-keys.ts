import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { KeyList, PageQuery } from '#contracts/http/index';
import { listApiKeys } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { KeyUsage } from '../auth/key-usage.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Handles } from '../use-cases/handles.js';

export class ListKeys extends Query<KeyList> {
  constructor(
    readonly caller: Caller,
    readonly page: PageQuery,
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
  ) {}

  async execute({ caller, page }: ListKeys): Promise<KeyList> {
    await this.reads.record(caller, { kind: 'keys' });
    const keys = await this.readModel.ask(listApiKeys, caller.tenantId);
    const shown = keys.slice(page.skip, page.skip + page.limit).map((key) => {
      const used =
        key.revoked_at === null ? this.usage.lastUse(key.id, key.last_used_at) : key.last_used_at;
      return { ...key, last_used_at: used };
    });
    return { keys: shown, total: keys.length };
  }
}
