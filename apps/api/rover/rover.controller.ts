import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  type MessageEvent,
  Param,
  Post,
  Query,
  Res,
  Sse,
  SseSignal,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { from, type Observable } from 'rxjs';

import {
  CreateRoverJobBody,
  ListRoverJobsQuery,
  RoverJobList,
  RoverJobView,
  RoverStatusView,
  RoverStepView,
  RoverTokenView,
  RoverVerificationView,
  StreamErrorView,
} from '#contracts/http/index';

import { ApiKeyOnly, NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { rateLimitHeaders } from '../edge/rate-limit-headers.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { eventIdIn, LAST_EVENT_ID, MAX_PENDING } from '../streams/last-event-id.js';
import { streamOf } from '../streams/stream-schema.js';
import { CancelRoverJob } from './cancel-rover-job.js';
import { CreateRoverJob } from './create-rover-job.js';
import { GetRoverJob } from './get-rover-job.js';
import { ListRoverJobs } from './list-rover-jobs.js';
import { RoverStream } from './rover-stream.js';
import { VerifyRoverJob } from './verify-rover-job.js';

const STREAM_SCHEMA = streamOf([
  { title: 'RoverStatusEvent', event: 'status', data: RoverStatusView, id: 'some' },
  { title: 'RoverStepEvent', event: 'step', data: RoverStepView, id: 'some' },
  { title: 'RoverTokenEvent', event: 'token', data: RoverTokenView, id: 'some' },
  { title: 'RoverDoneEvent', event: 'done', data: RoverJobView, id: 'some' },
  { title: 'RoverErrorEvent', event: 'error', data: StreamErrorView, id: 'some' },
]);

/** Research over GitHub repositories. API keys only: a session gets 401. */
@ApiTags('rover')
@ApiKeyOnly()
@Controller('rover/jobs')
export class RoverController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: RoverStream,
  ) {}

  /** Starts a research job over GitHub repositories. It is charged once to the quota `rover`. */
  @Post()
  @Idempotent()
  @Problems(
    'scope_missing',
    'quota_exceeded',
    'rate_limited',
    'malformed_json',
    'idempotency_key_reused',
    'unsupported_media_type',
  )
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateRoverJobBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RoverJobView> {
    const { job, rateLimit } = await this.commands.execute(new CreateRoverJob(caller, body));
    if (rateLimit) void reply.headers(rateLimitHeaders(rateLimit));
    return job;
  }

  /** Lists the rover jobs of the tenant, newest first. */
  @Get()
  @Problems('scope_missing')
  list(@CurrentCaller() caller: Caller, @Query() page: ListRoverJobsQuery): Promise<RoverJobList> {
    return this.queries.execute(new ListRoverJobs(caller, page));
  }

  /** Returns one rover job. */
  @Get(':rover_job_id')
  @Problems('scope_missing', 'rover_job_not_found')
  get(
    @CurrentCaller() caller: Caller,
    @Param('rover_job_id') jobId: string,
  ): Promise<RoverJobView> {
    return this.queries.execute(new GetRoverJob(caller, jobId));
  }

  @Sse(':rover_job_id/stream', { maxPendingDataLength: MAX_PENDING })
  @ApiOperation({
    summary: 'Streams a rover job as server-sent events.',
    description:
      'Events: `status`, `step` after every change of a step, `token` for each next part of the answer, `done` with the job after its end, `error` `{error, code}` when the stream itself fails. Ids are revisions: `Last-Event-ID` resumes without loss or repeat. A finished job replays and closes.',
  })
  @ApiHeader(LAST_EVENT_ID)
  @ApiExtraModels(RoverStatusView, RoverStepView, RoverTokenView, RoverJobView, StreamErrorView)
  @ApiResponse({
    status: 200,
    description: 'The stream. Its schema is that of each event.',
    content: {
      'text/event-stream': { schema: STREAM_SCHEMA },
    },
  })
  @Problems('scope_missing', 'rover_job_not_found', 'rate_limited')
  async stream(
    @CurrentCaller() caller: Caller,
    @Param('rover_job_id') jobId: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @SseSignal() gone: AbortSignal,
  ): Promise<Observable<MessageEvent>> {
    return from(await this.streams.open(caller, jobId, eventIdIn(lastEventId), gone));
  }

  /**
   * Fetches the cited commits again and compares them with the citations. Verifications are not
   * charged.
   */
  @Post(':rover_job_id/verify')
  @NeedsScope('read')
  @HttpCode(200)
  @Problems(
    'scope_missing',
    'rover_job_not_found',
    'rover_job_not_completed',
    'receipt_erased',
    'repository_host_unavailable',
  )
  verify(
    @CurrentCaller() caller: Caller,
    @Param('rover_job_id') jobId: string,
  ): Promise<RoverVerificationView> {
    return this.queries.execute(new VerifyRoverJob(caller, jobId));
  }

  /** Cancels a pending or running rover job. */
  @Delete(':rover_job_id')
  @HttpCode(200)
  @Problems('scope_missing', 'rover_job_not_found', 'rover_job_finished', 'concurrent_change')
  cancel(
    @CurrentCaller() caller: Caller,
    @Param('rover_job_id') jobId: string,
  ): Promise<RoverJobView> {
    return this.commands.execute(new CancelRoverJob(caller, jobId));
  }
}
