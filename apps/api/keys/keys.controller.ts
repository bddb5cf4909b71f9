import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  AsOfPageQuery,
  CreateKeyBody,
  IssuedKeyView,
  KeyList,
  RevokeKeyQuery,
} from '#contracts/http/index';

import { OwnersOnly } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MOMENT_HEADER, undated } from '../history/moment-header.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { IssueKey } from './issue-key.js';
import { ListKeys } from './list-keys.js';
import { RevokeKey } from './revoke-key.js';

@ApiTags('keys')
@Controller('keys')
export class KeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Makes an API key. Its secret is in this answer and never again. */
  @Post()
  @OwnersOnly()
  @Idempotent()
  @Problems('scope_missing', 'malformed_json', 'idempotency_key_reused', 'unsupported_media_type')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateKeyBody): Promise<IssuedKeyView> {
    return this.commands.execute(new IssueKey(caller, body));
  }

  /** Lists keys without their secrets, newest first, now or at a moment of the tenant's history. */
  @Get()
  @ApiOkResponse({ type: KeyList, headers: MOMENT_HEADER })
  @Problems('scope_missing')
  async list(
    @CurrentCaller() caller: Caller,
    @Query() page: AsOfPageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<KeyList> {
    return undated(await this.queries.execute(new ListKeys(caller, page)), reply);
  }

  /**
   * Revokes a key for good. The last one that could make another is revoked only with `force=true`.
   */
  @Delete(':key_id')
  @OwnersOnly()
  @HttpCode(204)
  @Problems('scope_missing', 'key_not_found', 'last_key', 'concurrent_change')
  revoke(
    @CurrentCaller() caller: Caller,
    @Param('key_id') keyId: string,
    @Query() { force }: RevokeKeyQuery,
  ): Promise<void> {
    return this.commands.execute(new RevokeKey(caller, keyId, force ?? false));
  }
}
