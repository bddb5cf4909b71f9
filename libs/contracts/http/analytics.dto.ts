import { ApiProperty } from '@nestjs/swagger';

import { Optional } from './validation/rule.js';
import { Choice } from './validation/text.js';
import { Timestamp } from './validation/timestamp.js';

/** Lengths of a bucket; a week begins on Monday, in UTC. */
const BUCKETS = ['hour', 'day', 'week'] as const;
export type AnalyticsBucket = (typeof BUCKETS)[number];

/** A period that is counted in buckets. */
export class AnalyticsQuery {
  /** First moment, by `recorded_at`. Default: 30 days before `to`. */
  @Optional()
  @Timestamp()
  from?: string;

  /** Last moment, inclusive. Default: now. */
  @Optional()
  @Timestamp()
  to?: string;

  @Optional()
  @Choice(...BUCKETS)
  bucket: AnalyticsBucket = 'day';
}

class BucketView {
  /** First moment of the bucket; the first bucket may begin before `from`. */
  @ApiProperty({ format: 'date-time' })
  start: string;
}

export class SearchesBucketView extends BucketView {
  /** Answered searches of all kinds. */
  searches: number;
  /** Simple searches. */
  search: number;
  /** Multi-hop searches. */
  rmh: number;
  /** Searches of chat questions. */
  chat: number;
  /** Exact and regular-expression searches. */
  code: number;
}

export class SearchesAnalyticsView {
  @ApiProperty({ type: [SearchesBucketView] })
  buckets: readonly SearchesBucketView[];
}

export class NoEvidenceBucketView extends BucketView {
  searches: number;
  /** Searches that found no evidence, or not enough for the policy. */
  no_evidence: number;
  /** Part of the searches, from 0 to 1; null without searches. */
  @ApiProperty({ type: Number, nullable: true })
  share: number | null;
}

export class NoEvidenceAnalyticsView {
  @ApiProperty({ type: [NoEvidenceBucketView] })
  buckets: readonly NoEvidenceBucketView[];
}

export class StaleHitsBucketView extends BucketView {
  searches: number;
  /** Searches with results of a stale source. */
  stale_searches: number;
  /** Own sources with results, counted once per search. */
  source_hits: number;
  /** Those that were older than the staleness budget of that time. */
  stale_source_hits: number;
}

export class StaleHitsAnalyticsView {
  @ApiProperty({ type: [StaleHitsBucketView] })
  buckets: readonly StaleHitsBucketView[];
}

/** Metered units; returned ones are subtracted in the bucket of their return. */
export class UsageBucketView extends BucketView {
  search: number;
  chat: number;
  rover: number;
}

export class UsageAnalyticsView {
  @ApiProperty({ type: [UsageBucketView] })
  buckets: readonly UsageBucketView[];
}

/** Sync jobs by the time of the event. */
export class JobsBucketView extends BucketView {
  requested: number;
  completed: number;
  failed: number;
  cancelled: number;
}

export class JobsAnalyticsView {
  @ApiProperty({ type: [JobsBucketView] })
  buckets: readonly JobsBucketView[];
}
