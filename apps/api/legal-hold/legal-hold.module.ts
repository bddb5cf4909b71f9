import { Module } from '@nestjs/common';

import { GetLegalHoldHandler } from './get-legal-hold.js';
import { LegalHoldController } from './legal-hold.controller.js';
import { LegalHolds } from './legal-holds.js';
import { SetLegalHoldHandler } from './set-legal-hold.js';

/** `/legal-hold` */
@Module({
  controllers: [LegalHoldController],
  providers: [LegalHolds, GetLegalHoldHandler, SetLegalHoldHandler],
})
export class LegalHoldModule {}
