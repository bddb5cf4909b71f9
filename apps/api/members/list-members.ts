import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { MemberList, MemberView, PageQuery } from '#contracts/http/index';
import { listMembers, type SealedMember } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { ERASED, PersonalText } from '../people/accounts/personal-text.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Handles } from '../use-cases/handles.js';

export class ListMembers extends Query<MemberList> {
  constructor(
    readonly caller: Caller,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@Handles(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly personal: PersonalText,
    private readonly reads: RecordedReads,
  ) {}

  async execute({ caller, page }: ListMembers): Promise<MemberList> {
    const { tenantId } = caller;
    await this.reads.record(caller, { kind: 'members' });
    const { members, total } = await this.readModel.ask(listMembers, tenantId, page);
    return {
      members: await Promise.all(
        members.map((member) => memberView(this.personal, tenantId, member)),
      ),
      total,
    };
  }
}

/** A member with what was sealed of him. */
export async function memberView(
  personal: PersonalText,
  tenantId: string,
  { user_id, address, display_name, role, created_at }: SealedMember,
): Promise<MemberView> {
  const person = { tenantId, userId: user_id };
  return {
    user_id,
    email: (await personal.open(person, 'address', address)) ?? ERASED,
    display_name:
      display_name === null
        ? null
        : ((await personal.open(person, 'display_name', display_name)) ?? ERASED),
    role,
    created_at,
  };
}
