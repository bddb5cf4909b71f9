import { type FactoryProvider, Module, type Type } from '@nestjs/common';

import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock, type Config, KEY_RING, type KeyRing } from '#platform';
import {
  AuditTrees,
  CheckpointHistory,
  CheckpointStates,
  createTransparency,
  HeadSigner,
  type Transparency,
} from '#transparency';

import { type ApiReadModel, CONFIG, READ_MODEL } from '../engines/engines.js';
import { PeopleModule } from '../people/people.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { WriteModule } from '../write/write.module.js';
import { AuditController } from './audit.controller.js';
import { AuditPages } from './audit-pages.js';
import { AuditProofsController } from './audit-proofs.controller.js';
import { AuditViews } from './audit-views.js';
import { AuditedEvents } from './audited-events.js';
import { ListAuditKeysHandler, ListCheckpointsHandler } from './checkpoints/list-checkpoints.js';
import { ProveConsistencyHandler, ProveRecordHandler } from './checkpoints/prove.js';
import { SignHeadHandler } from './checkpoints/sign-checkpoint.js';
import { TrailSlice } from './checkpoints/trail-slice.js';
import { TRANSPARENCY } from './checkpoints/transparency.js';
import { VerifyCheckpointHandler } from './checkpoints/verify-checkpoint.js';
import { VerifyTrailHandler } from './checkpoints/verify-trail.js';
import { GetAuditEventHandler } from './get-audit-event.js';
import { ListAuditEventsHandler } from './list-audit-events.js';

const transparency: FactoryProvider<Transparency> = {
  provide: TRANSPARENCY,
  inject: [EVENT_STORE, READ_MODEL, KEY_RING, CLOCK, CONFIG],
  useFactory: (
    store: EventStore,
    readModel: ApiReadModel,
    keyRing: KeyRing,
    clock: Clock,
    { audit: settings }: Config,
  ) => createTransparency({ store, readModel, keyRing, clock, settings }),
};

/** Provides a part of the transparency by its class. */
function partOf<Part>(
  provide: Type<Part>,
  useFactory: (parts: Transparency) => Part,
): FactoryProvider<Part> {
  return { provide, inject: [TRANSPARENCY], useFactory };
}

/** `/audit` */
@Module({
  imports: [PeopleModule, RecordedReadsModule, WriteModule],
  controllers: [AuditController, AuditProofsController],
  providers: [
    AuditedEvents,
    AuditViews,
    AuditPages,
    ListAuditEventsHandler,
    GetAuditEventHandler,
    transparency,
    partOf(AuditTrees, ({ trees }) => trees),
    partOf(CheckpointStates, ({ states }) => states),
    partOf(CheckpointHistory, ({ history }) => history),
    partOf(HeadSigner, ({ signer }) => signer),
    TrailSlice,
    ListCheckpointsHandler,
    ListAuditKeysHandler,
    SignHeadHandler,
    ProveRecordHandler,
    ProveConsistencyHandler,
    VerifyTrailHandler,
    VerifyCheckpointHandler,
  ],
  exports: [AuditedEvents, AuditPages, AuditViews, AuditTrees, CheckpointHistory],
})
export class AuditModule {}
