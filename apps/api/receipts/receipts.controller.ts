import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  CodeSearchResponseView,
  DefinitionsView,
  MultiHopResponseView,
  NoEvidenceView,
  ReceiptView,
  ReferencesView,
  RoverReceiptView,
  SearchResponseView,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { GetReceipt } from './get-receipt.js';
import { REPLAY_DIFFERENCES } from './replay-difference.js';
import { type Replay, ReplaySearch } from './replay-search.js';

@ApiTags('receipts')
@ApiExtraModels(
  ReceiptView,
  RoverReceiptView,
  SearchResponseView,
  MultiHopResponseView,
  NoEvidenceView,
  CodeSearchResponseView,
  DefinitionsView,
  ReferencesView,
)
@NeedsScope('read')
@Controller('receipts')
export class ReceiptsController {
  constructor(private readonly queries: QueryBus) {}

  /**
   * Returns the evidence of the answer to a search: policy, content, parameters and the scores of
   * each result.
   */
  @Get(':receipt_id')
  @ApiOkResponse({
    description: 'The receipt. The kind `rover` is that of a rover job, for API keys only.',
    schema: {
      oneOf: [ReceiptView, RoverReceiptView].map((view) => ({ $ref: getSchemaPath(view) })),
    },
  })
  @Problems('scope_missing', 'receipt_not_found')
  get(
    @CurrentCaller() caller: Caller,
    @Param('receipt_id') receiptId: string,
  ): Promise<ReceiptView | RoverReceiptView> {
    return this.queries.execute(new GetReceipt(caller, receiptId));
  }

  /**
   * Answers the search again, on the content, policy and clock that it had. Replays are not
   * charged.
   */
  @Post(':receipt_id/replay')
  @HttpCode(200)
  @ApiOkResponse({
    description: 'The answer, as it was then.',
    headers: {
      'X-Replay-Matches': {
        description: '`true` when chunks, order and scores are those of the receipt.',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
      'X-Replay-Difference': {
        description:
          'The cause where they are not: another version of the ranking, or another vector of a ' +
          'remote model for the query.',
        schema: { type: 'string', enum: [...REPLAY_DIFFERENCES] },
      },
    },
    schema: {
      oneOf: [
        SearchResponseView,
        MultiHopResponseView,
        NoEvidenceView,
        CodeSearchResponseView,
        DefinitionsView,
        ReferencesView,
      ].map((view) => ({ $ref: getSchemaPath(view) })),
    },
  })
  @Problems(
    'scope_missing',
    'receipt_not_found',
    'generation_dropped',
    'content_missing',
    'receipt_erased',
    'model_changed',
  )
  async replay(
    @CurrentCaller() caller: Caller,
    @Param('receipt_id') receiptId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Replay['answer']> {
    const { answer, matches, difference } = await this.queries.execute(
      new ReplaySearch(caller, receiptId),
    );
    void reply.header('x-receipt-id', receiptId).header('x-replay-matches', String(matches));
    if (difference) void reply.header('x-replay-difference', difference);
    return answer;
  }
}
