import { Module } from '@nestjs/common';

import { QuotaLedger } from './quota-ledger.js';

@Module({ providers: [QuotaLedger], exports: [QuotaLedger] })
export class QuotaModule {}
