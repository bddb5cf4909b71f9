import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AsOfPageQuery, MemberList, MemberView } from '#contracts/http/index';
import { listMembers, type SealedMember } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { type Dated, type Moment, Moments } from '../history/moments.js';
import { PastMembers } from '../history/past-members.js';
import { ERASED, PersonalText } from '../people/accounts/personal-text.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Handles } from '../use-cases/handles.js';

/** Returns a page of the members of the caller's tenant, now or as they were. */
export class ListMembers extends Query<Dated<MemberList>> {
  constructor(
    readonly caller: Caller,
    readonly page: AsOfPageQuery,
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
    private readonly moments: Moments,
    private readonly past: PastMembers,
  ) {}

  async execute({ caller, page }: ListMembers): Promise<Dated<MemberList>> {
    const { tenantId } = caller;
    const moment = await this.moments.asked(tenantId, page);
    await this.reads.record(caller, { kind: 'members' });
    const { members, total } = moment
      ? await this.membersAt(tenantId, moment, page)
      : await this.readModel.ask(listMembers, tenantId, page);
    const views = members.map((member) => memberView(this.personal, tenantId, member));
    return { answer: { members: await Promise.all(views), total }, moment };
  }

  private async membersAt(tenantId: string, moment: Moment, { skip, limit }: AsOfPageQuery) {
    const members = await this.past.list(tenantId, moment);
    return { members: members.slice(skip, skip + limit), total: members.length };
  }
}

/** Returns a member with the opened personal text. */
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
