import {
  Controller,
  Get,
  Headers,
  HttpCode,
  type MessageEvent,
  Param,
  Post,
  Query,
  Sse,
  SseSignal,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { from, type Observable } from 'rxjs';

import {
  JobList,
  JobProgressView,
  JobView,
  ListJobsQuery,
  StreamErrorView,
} from '#contracts/http/index';

import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { eventIdIn, LAST_EVENT_ID, MAX_PENDING } from '../streams/last-event-id.js';
import { streamOf } from '../streams/stream-schema.js';
import { CancelJob } from './cancel-job.js';
import { GetJob } from './get-job.js';
import { JobStream } from './job-stream.js';
import { ListJobs } from './list-jobs.js';

const STREAM_SCHEMA = streamOf([
  { title: 'JobProgressEvent', event: 'progress', data: JobProgressView, id: 'always' },
  { title: 'JobDoneEvent', event: 'done', data: JobProgressView, id: 'always' },
  { title: 'JobErrorEvent', event: 'error', data: StreamErrorView, id: 'never' },
]);

@ApiTags('jobs')
@Controller('jobs')
export class JobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: JobStream,
  ) {}

  /** Lists sync jobs, newest first. */
  @Get()
  @Problems('scope_missing')
  list(@CurrentCaller() caller: Caller, @Query() filter: ListJobsQuery): Promise<JobList> {
    return this.queries.execute(new ListJobs(caller, filter));
  }

  /** Returns one sync job. */
  @Get(':job_id')
  @Problems('scope_missing', 'job_not_found')
  get(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<JobView> {
    return this.queries.execute(new GetJob(caller, jobId));
  }

  /** Cancels a pending or running job. */
  @Post(':job_id/cancel')
  @HttpCode(200)
  @Problems('scope_missing', 'job_not_found', 'job_finished', 'concurrent_change')
  cancel(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<JobView> {
    return this.commands.execute(new CancelJob(caller, jobId));
  }

  @Sse(':job_id/stream', { maxPendingDataLength: MAX_PENDING })
  @ApiOperation({
    summary: 'Streams the progress of a job as server-sent events.',
    description:
      'Events: `progress` after every change, `done` after the last, `error` `{error, code}` when the stream itself fails. Ids are revisions: `Last-Event-ID` resumes without loss or repeat. A finished job replays and closes.',
  })
  @ApiHeader(LAST_EVENT_ID)
  @ApiExtraModels(JobProgressView, StreamErrorView)
  @ApiResponse({
    status: 200,
    description: 'The stream. Its schema is that of each event.',
    content: { 'text/event-stream': { schema: STREAM_SCHEMA } },
  })
  @Problems('scope_missing', 'job_not_found', 'rate_limited')
  async stream(
    @CurrentCaller() caller: Caller,
    @Param('job_id') jobId: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @SseSignal() gone: AbortSignal,
  ): Promise<Observable<MessageEvent>> {
    return from(await this.streams.open(caller, jobId, eventIdIn(lastEventId), gone));
  }
}
