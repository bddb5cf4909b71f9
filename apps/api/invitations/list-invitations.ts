import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { InvitationList, PageQuery } from '#contracts/http/index';
import { listInvitations } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { InvitationViews } from './invitation-views.js';

export class ListInvitations extends Query<InvitationList> {
  constructor(
    readonly caller: Caller,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@Handles(ListInvitations)
export class ListInvitationsHandler implements IQueryHandler<ListInvitations> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly views: InvitationViews,
  ) {}

  async execute({ caller, page }: ListInvitations): Promise<InvitationList> {
    const { invitations, total } = await this.readModel.ask(listInvitations, caller.tenantId, page);
    return { invitations: await Promise.all(invitations.map((row) => this.views.of(row))), total };
  }
}
