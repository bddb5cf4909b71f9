import { ApiProperty } from '@nestjs/swagger';

import { Decimal, Flag, WholeNumber } from './validation/number.js';
import { Nested } from './validation/object.js';
import { ReadOnlyFields } from './validation/read-only.js';
import { Optional } from './validation/rule.js';

/** Weights by source type: above 1 boosts, 1 is neutral, below 1 penalises, 0 removes. */
export class SourcePrioritiesBody {
  /** Repositories. */
  @Optional()
  @Decimal(0, 5)
  repo?: number;

  /** HTML docs. */
  @Optional()
  @Decimal(0, 5)
  docs_html?: number;

  /** OpenAPI docs. */
  @Optional()
  @Decimal(0, 5)
  docs_openapi?: number;
}

/** Settings to change; absent ones stay. */
@ReadOnlyFields('id', 'name', 'staleness_budget_days', 'created_at', 'updated_at')
export class UpdatePolicyBody {
  /** Age after which a source counts as stale, in seconds. */
  @Optional()
  @WholeNumber(60, 31_536_000)
  staleness_budget_seconds?: number;

  @Optional()
  @Nested(() => SourcePrioritiesBody)
  source_priorities?: SourcePrioritiesBody;

  /** Fewer relevant results than this refuse, where refusal is enforced. */
  @Optional()
  @WholeNumber(0, 100)
  min_evidence_count?: number;

  /** A top score below this refuses, where refusal is enforced. */
  @Optional()
  @Decimal(0, 1)
  min_evidence_score?: number;

  /** Mark stale results and warn. */
  @Optional()
  @Flag()
  enforce_staleness?: boolean;

  /** Answer with a refusal instead of weak results. */
  @Optional()
  @Flag()
  enforce_refusal?: boolean;
}

export class SourcePrioritiesView {
  repo: number;
  docs_html: number;
  docs_openapi: number;
}

/** The tenant's trust policy. */
export class PolicyView {
  /** @example 'default' */
  id: string;
  /** @example 'default' */
  name: string;
  /** @example 2592000 */
  staleness_budget_seconds: number;
  /** Derived from the seconds. @example 30 */
  staleness_budget_days: number;
  source_priorities: SourcePrioritiesView;
  min_evidence_count: number;
  min_evidence_score: number;
  enforce_staleness: boolean;
  enforce_refusal: boolean;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}
