import { Body, Controller, Delete, Get, Headers, Put, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { ChangeLegalHoldBody, LegalHoldView } from '#contracts/http/index';

import { NeedsScope, OwnerOrFullKey } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Conditional } from '../openapi/conditional.js';
import { Problems } from '../openapi/problem-responses.js';
import { GetLegalHold } from './get-legal-hold.js';
import type { VersionedLegalHold } from './legal-holds.js';
import { SetLegalHold } from './set-legal-hold.js';

@ApiTags('tenant')
@Controller('legal-hold')
export class LegalHoldController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Returns whether the tenant is under legal hold, with the reason of the last change. */
  @Get()
  @NeedsScope('audit')
  @Problems('scope_missing')
  async get(
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LegalHoldView> {
    return tagged(await this.queries.execute(new GetLegalHold(caller)), reply);
  }

  /** Sets the hold: until its release nothing of the tenant is erased and no content is dropped. */
  @Put()
  @OwnerOrFullKey()
  @Conditional('hold')
  @Problems(
    'scope_missing',
    'role_missing',
    'csrf_invalid',
    'malformed_json',
    'legal_hold_changed',
    'concurrent_change',
    'unsupported_media_type',
  )
  async set(
    @CurrentCaller() caller: Caller,
    @Body() { reason }: ChangeLegalHoldBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LegalHoldView> {
    return tagged(
      await this.commands.execute(new SetLegalHold(caller, true, reason, ifMatch)),
      reply,
    );
  }

  /** Releases the hold; content that became due during it is dropped afterwards. */
  @Delete()
  @OwnerOrFullKey()
  @Conditional('hold')
  @ApiBody({ type: ChangeLegalHoldBody })
  @ApiOkResponse({ type: LegalHoldView })
  @Problems(
    'scope_missing',
    'role_missing',
    'csrf_invalid',
    'malformed_json',
    'legal_hold_changed',
    'concurrent_change',
    'unsupported_media_type',
  )
  async release(
    @CurrentCaller() caller: Caller,
    @Body() { reason }: ChangeLegalHoldBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LegalHoldView> {
    return tagged(
      await this.commands.execute(new SetLegalHold(caller, false, reason, ifMatch)),
      reply,
    );
  }
}

function tagged({ hold, etag }: VersionedLegalHold, reply: FastifyReply): LegalHoldView {
  void reply.header('etag', etag);
  return hold;
}
