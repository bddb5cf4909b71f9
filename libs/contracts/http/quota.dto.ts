import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import {
  PLAN_METRICS,
  type PlanMetric,
  QUOTA_WINDOWS,
  type QuotaWindow,
} from '../quota/quota-plan.js';

const WINDOWS = Object.keys(QUOTA_WINDOWS);

export class QuotaLimitView {
  @ApiProperty({ enum: [...PLAN_METRICS] })
  metric: PlanMetric;
  /** Windows are rolling: a limit holds in any stretch of time of that length. */
  @ApiProperty({ enum: WINDOWS })
  window: QuotaWindow;
  /** Left out of a total. */
  @ApiPropertyOptional({ example: 3600 })
  window_seconds?: number;
  limit: number;
}

/** Work that one tenant may run at once in one process of the service. */
export class FairnessView {
  /** Searches that are worked on at once; further ones wait. */
  searches_at_once: number;
  /** Searches that may wait; further ones are refused. */
  searches_waiting: number;
  /** Open event streams. */
  open_streams: number;
  /** Syncs that are fetched at once; further ones wait. */
  fetching_syncs: number;
  /** Syncs that are in any one of the later stages at once; further ones wait. */
  syncs_per_stage: number;
}

export class QuotaView {
  @ApiProperty({ example: 'standard' })
  plan: string;
  /** A metric that is not listed is not limited. */
  @ApiProperty({ type: [QuotaLimitView] })
  limits: QuotaLimitView[];
  fairness: FairnessView;
}

export class QuotaUsageEntry {
  @ApiProperty({ enum: [...PLAN_METRICS] })
  metric: PlanMetric;
  @ApiProperty({ enum: WINDOWS })
  window: QuotaWindow;
  limit: number;
  used: number;
  remaining: number;
  /**
   * Time when the oldest usage leaves the window; null while there is no usage. Left out of a
   * total.
   */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  resets_at?: string | null;
}

export class QuotaUsageView {
  @ApiProperty({ example: 'standard' })
  plan: string;
  @ApiProperty({ type: [QuotaUsageEntry] })
  usage: QuotaUsageEntry[];
}
