import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  API_VERSION,
  asyncApiDocument,
  eventSchema,
  FootnoteError,
  type JsonObject,
} from '#contracts';

import { Public } from '../auth/access.decorators.js';
import { Problems } from '../openapi/problem-responses.js';

/** A schema changes with an upgrade only, and then in compatible ways. */
const CACHED = { 'cache-control': 'public, max-age=3600' };
const OBJECT = { type: 'object', additionalProperties: true };

/** Schemas of the events that the service sends. */
@ApiTags('operation')
@Public()
@Controller()
export class SchemasController {
  private messages: JsonObject | undefined;

  /** Returns the JSON Schema (2020-12) of the data of an event in the feeds. */
  @Get('schemas/:event_type/:version')
  @ApiParam({ name: 'event_type', example: 'PolicyUpdated', schema: { type: 'string' } })
  @ApiParam({ name: 'version', schema: { type: 'integer', minimum: 1 } })
  @ApiOkResponse({ content: { 'application/schema+json': { schema: OBJECT } } })
  @Problems('not_found')
  schema(
    @Param('event_type') type: string,
    @Param('version') version: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): JsonObject {
    const schema = /^[1-9]\d{0,8}$/.test(version)
      ? eventSchema({ type, version: Number(version) })
      : null;
    if (!schema) throw new FootnoteError('not_found', 'Event schema not found');
    // Not by a decorator, whose headers an error would have too.
    void reply.headers(CACHED).type('application/schema+json; charset=utf-8');
    return schema;
  }

  /** Returns the AsyncAPI 3 description of feed, webhooks and the topic of events. */
  @Get('asyncapi.json')
  @ApiOkResponse({ content: { 'application/json': { schema: OBJECT } } })
  @Problems()
  asyncApi(@Res({ passthrough: true }) reply: FastifyReply): JsonObject {
    void reply.headers(CACHED);
    return (this.messages ??= asyncApiDocument(API_VERSION));
  }
}
