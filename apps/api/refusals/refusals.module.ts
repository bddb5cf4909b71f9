import { Module } from '@nestjs/common';

import { Refusals } from './refusals.js';

/** Records refused requests as events. */
@Module({ providers: [Refusals], exports: [Refusals] })
export class RefusalsModule {}
