import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import {
  AnalyticsQuery,
  JobsAnalyticsView,
  NoEvidenceAnalyticsView,
  SearchesAnalyticsView,
  StaleHitsAnalyticsView,
  UsageAnalyticsView,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { GetJobCounts } from './get-job-counts.js';
import { GetNoEvidence, GetSearches } from './get-searches.js';
import { GetStaleHits } from './get-stale-hits.js';
import { GetUsage } from './get-usage.js';

@ApiTags('analytics')
@Controller('analytics')
@NeedsScope('audit')
export class AnalyticsController {
  constructor(private readonly queries: QueryBus) {}

  /** Counts searches by kind and time. */
  @Get('searches')
  @Problems('scope_missing')
  searches(
    @CurrentCaller() caller: Caller,
    @Query() query: AnalyticsQuery,
  ): Promise<SearchesAnalyticsView> {
    return this.queries.execute(new GetSearches(caller, query));
  }

  /** Counts searches without evidence by time. */
  @Get('no-evidence')
  @Problems('scope_missing')
  noEvidence(
    @CurrentCaller() caller: Caller,
    @Query() query: AnalyticsQuery,
  ): Promise<NoEvidenceAnalyticsView> {
    return this.queries.execute(new GetNoEvidence(caller, query));
  }

  /** Counts results of stale sources by time. */
  @Get('stale-hits')
  @Problems('scope_missing')
  staleHits(
    @CurrentCaller() caller: Caller,
    @Query() query: AnalyticsQuery,
  ): Promise<StaleHitsAnalyticsView> {
    return this.queries.execute(new GetStaleHits(caller, query));
  }

  /** Counts metered units by time. */
  @Get('usage')
  @Problems('scope_missing')
  usage(
    @CurrentCaller() caller: Caller,
    @Query() query: AnalyticsQuery,
  ): Promise<UsageAnalyticsView> {
    return this.queries.execute(new GetUsage(caller, query));
  }

  /** Counts sync jobs by time. */
  @Get('jobs')
  @Problems('scope_missing')
  jobs(
    @CurrentCaller() caller: Caller,
    @Query() query: AnalyticsQuery,
  ): Promise<JobsAnalyticsView> {
    return this.queries.execute(new GetJobCounts(caller, query));
  }
}
