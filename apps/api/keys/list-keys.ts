import { Inject } from '@nestjs/common';
import { Query, type IQueryHandler } from '@nestjs/cqrs';

import type { KeyList, PageQuery } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { READ_MODEL, type ApiReadModel } from '../engines/engines.js';
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
  constructor(@Inject(READ_MODEL) private readonly readModel: ApiReadModel) {}

  async execute({ caller, page }: ListKeys): Promise<KeyList> {
    const keys = await this.readModel.listApiKeys(caller.tenantId);
    return { keys: keys.slice(page.skip, page.skip + page.limit), total: keys.length };
  }
}
