import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { FootnoteError } from '#contracts';
import { McpQuery } from '#contracts/http/index';
import type { Config } from '#platform';

import { ApiKeyOnly, NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { Problems } from '../openapi/problem-responses.js';
import { ClientGone } from '../streams/client-gone.js';
import { McpExchange } from './mcp-exchange.js';
import { requireTrustedOrigin } from './trusted-origin.js';

/** Headers that hold credentials or describe the connection, which the exchange does not need. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'transfer-encoding',
  'x-api-key',
]);
const MESSAGE = { schema: { type: 'object', description: 'One JSON-RPC 2.0 message.' } };

/**
 * Tools for agents, by the Model Context Protocol over HTTP. Takes API keys, and access tokens of
 * the identity provider.
 */
@ApiTags('agents')
@ApiKeyOnly()
@NeedsScope(null)
@Controller('mcp')
export class McpController {
  constructor(
    private readonly exchange: McpExchange,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Answers a message of the Model Context Protocol.',
    description:
      'Stateless: each message is a request of its own. A key sees the tools that its scopes allow, a person those of their role.',
  })
  @ApiBody(MESSAGE)
  @ApiResponse({
    status: 200,
    description: 'The answer; a stream where the client asked for progress.',
    content: { 'application/json': MESSAGE, 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiResponse({ status: 202, description: 'A notification was taken.' })
  @Problems(
    'access_denied',
    'origin_refused',
    'malformed_json',
    'body_too_large',
    'unsupported_media_type',
    'provider_unavailable',
  )
  async post(
    @CurrentCaller() caller: Caller,
    @Headers() headers: Readonly<Record<string, string | string[] | undefined>>,
    @Query() { tools, output }: McpQuery,
    @Body() message: object,
    @ClientGone() clientGone: AbortSignal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    requireTrustedOrigin(
      { host: one(headers['host']), origin: one(headers['origin']) },
      this.config.http,
    );
    const response = await this.exchange.answer(caller, {
      headers: forwarded(headers),
      message,
      toolsets: ['default', ...(tools ?? [])],
      structured: output === 'structured',
      clientGone,
    });
    void reply.status(response.status).headers(Object.fromEntries(response.headers));
    void reply.send(
      response.body === null ? '' : Readable.fromWeb(response.body as ReadableStream<Uint8Array>),
    );
  }

  /** Rejects the streams of sessions that earlier revisions had. */
  @Get()
  @HttpCode(405)
  @Problems('method_not_allowed')
  get(@Res({ passthrough: true }) reply: FastifyReply): never {
    return refuse(reply);
  }

  /** Rejects the end of a session. */
  @Delete()
  @HttpCode(405)
  @Problems('method_not_allowed')
  delete(@Res({ passthrough: true }) reply: FastifyReply): never {
    return refuse(reply);
  }
}

function refuse(reply: FastifyReply): never {
  void reply.header('allow', 'POST');
  throw new FootnoteError('method_not_allowed', 'This endpoint takes POST only');
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function forwarded(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !OWN_HEADERS.has(name)) sent[name] = value;
  }
  // The protocol wants both names, which `*/*` and no header at all include.
  const { accept = '*/*' } = sent;
  if (accept.includes('*/*')) sent['accept'] = 'application/json, text/event-stream';
  return sent;
}
