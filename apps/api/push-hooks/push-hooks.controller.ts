import { Controller, Delete, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { PushAnswer, PushHookView } from '#contracts/http/index';

import { Public } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller, httpContextOf } from '../auth/caller.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { ReceivePush } from './receive-push.js';
import { RemovePushHook } from './remove-push-hook.js';
import { SetPushHook } from './set-push-hook.js';

@ApiTags('sources')
@Controller('sources')
export class PushHooksController {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Makes the secret that pushes to the source are signed with, or another in its place. It is
   * shown here alone.
   */
  @Post(':source_id/hooks')
  @Idempotent()
  @Problems('scope_missing', 'source_not_found', 'idempotency_key_reused', 'concurrent_change')
  set(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Req() request: FastifyRequest,
  ): Promise<PushHookView> {
    return this.commands.execute(new SetPushHook(caller, sourceId, addressOf(request)));
  }

  /** Has the source take no pushes any more. */
  @Delete(':source_id/hooks')
  @HttpCode(204)
  @Problems('scope_missing', 'source_not_found', 'concurrent_change')
  remove(@CurrentCaller() caller: Caller, @Param('source_id') sourceId: string): Promise<void> {
    return this.commands.execute(new RemovePushHook(caller, sourceId));
  }

  /**
   * Takes a push event of GitHub, GitLab, Gitea or Forgejo. It needs no API key: its signature says
   * who sent it. At most 8 MiB.
   */
  @Post(':source_id/hooks/push')
  @Public()
  @HttpCode(200)
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiBody({
    schema: { type: 'object', additionalProperties: true },
    description: 'As the provider sends it.',
  })
  @ApiHeader({ name: 'X-Hub-Signature-256', required: false, description: 'GitHub' })
  @ApiHeader({
    name: 'X-Gitea-Signature',
    required: false,
    description: 'Gitea; of Forgejo `X-Forgejo-Signature` too',
  })
  @ApiHeader({ name: 'X-Gitlab-Token', required: false, description: 'GitLab, secret token' })
  @ApiHeader({ name: 'webhook-signature', required: false, description: 'GitLab, signing token' })
  @ApiOkResponse({ type: PushAnswer, description: 'Nothing was to be done.' })
  @ApiAcceptedResponse({
    type: PushAnswer,
    description: 'A sync was started, or follows the one that runs.',
  })
  @Problems(
    'source_not_found',
    'malformed_json',
    'body_too_large',
    'unsupported_media_type',
    'concurrent_change',
    'overloaded',
  )
  async push(
    @Param('source_id') sourceId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PushAnswer> {
    const body = request.rawPushBody ?? Buffer.alloc(0);
    const command = new ReceivePush(sourceId, request.headers, body, httpContextOf(request));
    const answer = await this.commands.execute(command);
    void reply.status(answer.status === 'started' || answer.status === 'queued' ? 202 : 200);
    return answer;
  }
}

/**
 * Returns the local address of the request's connection. Everyone can forge the request's own
 * statements (Host, Forwarded).
 */
function addressOf(request: FastifyRequest): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = request.raw.socket;
  const address = localAddress.replace(/^::ffff:(?=[\d.]+$)/, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}
