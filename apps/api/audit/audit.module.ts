import { Module } from '@nestjs/common';

import { PeopleModule } from '../people/people.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { WriteModule } from '../write/write.module.js';
import { AuditController } from './audit.controller.js';
import { AuditProofsController } from './audit-proofs.controller.js';
import { AuditViews } from './audit-views.js';
import { AuditedEvents } from './audited-events.js';
import { AuditTrees } from './checkpoints/audit-trees.js';
import { CheckpointStream } from './checkpoints/checkpoint-stream.js';
import { ListAuditKeysHandler, ListCheckpointsHandler } from './checkpoints/list-checkpoints.js';
import { ProveConsistencyHandler, ProveRecordHandler } from './checkpoints/prove.js';
import { SignHeadHandler } from './checkpoints/sign-checkpoint.js';
import { SigningKeys } from './checkpoints/signing-keys.js';
import { TrailSlice } from './checkpoints/trail-slice.js';
import { VerifyCheckpointHandler } from './checkpoints/verify-checkpoint.js';
import { VerifyTrailHandler } from './checkpoints/verify-trail.js';
import { GetAuditEventHandler } from './get-audit-event.js';
import { ListAuditEventsHandler } from './list-audit-events.js';

/** `/audit` */
@Module({
  imports: [PeopleModule, RecordedReadsModule, WriteModule],
  controllers: [AuditController, AuditProofsController],
  providers: [
    AuditedEvents,
    AuditViews,
    ListAuditEventsHandler,
    GetAuditEventHandler,
    AuditTrees,
    CheckpointStream,
    SigningKeys,
    TrailSlice,
    ListCheckpointsHandler,
    ListAuditKeysHandler,
    SignHeadHandler,
    ProveRecordHandler,
    ProveConsistencyHandler,
    VerifyTrailHandler,
    VerifyCheckpointHandler,
  ],
  exports: [AuditedEvents],
})
export class AuditModule {}
