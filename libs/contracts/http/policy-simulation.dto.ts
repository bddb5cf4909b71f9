import { ApiProperty } from '@nestjs/swagger';

import { AuditChangeView } from './audit.dto.js';
import { UpdatePolicyBody } from './policy.dto.js';
import { WholeNumber } from './validation/number.js';
import { Nested } from './validation/object.js';
import { Optional } from './validation/rule.js';

/** Effects of a policy on a past search. */
const SIMULATED_EFFECTS = ['refused', 'answered', 'dropped', 'added', 'reordered'] as const;
export type SimulatedEffect = (typeof SIMULATED_EFFECTS)[number];

/** Maximum number of searches of one simulation. */
const MOST_SIMULATED = 200;

export class SimulatePolicyBody {
  /** Settings to try; absent ones are those of the current policy. */
  @Nested(() => UpdatePolicyBody)
  policy: UpdatePolicyBody;

  /** Maximum number of the last searches to repeat. */
  @Optional()
  @WholeNumber(1, MOST_SIMULATED)
  last: number = 50;
}

/** A past search that the policy would answer otherwise. */
export class SimulationExampleView {
  receipt_id: string;
  @ApiProperty({ enum: [...SIMULATED_EFFECTS], isArray: true })
  effects: readonly SimulatedEffect[];
  /** Number of results then. */
  @ApiProperty({ type: 'integer' })
  results_before: number;
  /** Number of results under the simulated policy. */
  @ApiProperty({ type: 'integer' })
  results_after: number;
}

/** Number of searches that could not be repeated, by error code. */
export class SimulationSkippedView {
  @ApiProperty({ example: 'generation_dropped' })
  code: string;
  @ApiProperty({ type: 'integer' })
  count: number;
}

/** Effects of a policy on the last searches; a search can have several. */
export class PolicySimulationView {
  /** Settings that differ from the current policy. */
  @ApiProperty({ type: [AuditChangeView] })
  changes: readonly AuditChangeView[];
  /** Number of searches that were repeated. */
  @ApiProperty({ type: 'integer' })
  simulated: number;
  /** Searches with results then and a refusal now. */
  @ApiProperty({ type: 'integer' })
  refused: number;
  /** Searches with a refusal then and results now. */
  @ApiProperty({ type: 'integer' })
  answered: number;
  /** Searches that lose some results. */
  @ApiProperty({ type: 'integer' })
  dropped: number;
  /** Searches that gain some results. */
  @ApiProperty({ type: 'integer' })
  added: number;
  /** Searches whose remaining results change their order. */
  @ApiProperty({ type: 'integer' })
  reordered: number;
  /** Searches with the same results in the same order. */
  @ApiProperty({ type: 'integer' })
  unchanged: number;
  @ApiProperty({ type: [SimulationSkippedView] })
  skipped: readonly SimulationSkippedView[];
  /** False if time ran out before all of these searches were repeated. */
  complete: boolean;
  /** Up to 20 searches that change, the newest first. */
  @ApiProperty({ type: [SimulationExampleView] })
  examples: readonly SimulationExampleView[];
}
