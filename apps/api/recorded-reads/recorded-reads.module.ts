import { Module } from '@nestjs/common';

import { RecordedReads } from './recorded-reads.js';
import { TrailExports } from './trail-exports.js';

/** Records reads of the trail, of receipts and of lists as events. */
@Module({ providers: [RecordedReads, TrailExports], exports: [RecordedReads, TrailExports] })
export class RecordedReadsModule {}
