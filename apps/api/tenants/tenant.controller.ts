import { Body, Controller, Delete, HttpCode } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiAcceptedResponse, ApiBody, ApiTags } from '@nestjs/swagger';

import { EraseTenantBody, TenantErasureView } from '#contracts/http/index';

import { OwnerOrFullKey } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { EraseTenant } from './erase-tenant.js';

@ApiTags('tenant')
@Controller('tenant')
export class TenantController {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Erases the tenant: from the answer on its credentials are refused, and its sources, indexed
   * content, files and keys are destroyed, for good. Needs the owner, and the tenant's name or id
   * as `confirm`.
   */
  @Delete()
  @OwnerOrFullKey()
  @HttpCode(202)
  @ApiBody({ type: EraseTenantBody })
  @ApiAcceptedResponse({ type: TenantErasureView })
  @Problems(
    'scope_missing',
    'role_missing',
    'csrf_invalid',
    'not_found',
    'malformed_json',
    'erasure_not_confirmed',
    'legal_hold',
    'concurrent_change',
    'unsupported_media_type',
  )
  erase(
    @CurrentCaller() caller: Caller,
    @Body() { confirm }: EraseTenantBody,
  ): Promise<TenantErasureView> {
    return this.commands.execute(new EraseTenant(caller, confirm));
  }
}
