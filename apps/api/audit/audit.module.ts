import { Module } from '@nestjs/common';

import { PeopleModule } from '../people/people.module.js';
import { AuditController } from './audit.controller.js';
import { AuditViews } from './audit-views.js';
import { GetAuditEventHandler } from './get-audit-event.js';
import { ListAuditEventsHandler } from './list-audit-events.js';

/** `/audit` */
@Module({
  imports: [PeopleModule],
  controllers: [AuditController],
  providers: [AuditViews, ListAuditEventsHandler, GetAuditEventHandler],
})
export class AuditModule {}
