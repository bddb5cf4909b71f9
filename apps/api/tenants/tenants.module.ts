import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { EraseTenantHandler } from './erase-tenant.js';
import { TenantController } from './tenant.controller.js';

/** `/tenant` */
@Module({ imports: [AuthModule], controllers: [TenantController], providers: [EraseTenantHandler] })
export class TenantsModule {}
