import { Module } from '@nestjs/common';

import { HistoryModule } from '../history/history.module.js';
import { PeopleModule } from '../people/people.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { ChangeRoleHandler } from './change-role.js';
import { ListMembersHandler } from './list-members.js';
import { MembersController } from './members.controller.js';
import { RemoveMemberHandler } from './remove-member.js';

/** `/members` */
@Module({
  imports: [HistoryModule, PeopleModule, RecordedReadsModule],
  controllers: [MembersController],
  providers: [ListMembersHandler, ChangeRoleHandler, RemoveMemberHandler],
})
export class MembersModule {}
