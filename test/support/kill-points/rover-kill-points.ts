import { ROVER_STEP_KINDS, type RoverStepKind } from '#contracts/rover/rover-job';

import { DEATHS } from '../research/dying-store.js';

/** A kind of step, and the moment of it at which a whole service dies. */
export interface RoverKillPoint {
  readonly kind: RoverStepKind | '';
  readonly moment: (typeof DEATHS)[number] | '';
}

/** Three deaths in each kind of step, in the order of a job. */
export const ROVER_KILL_POINTS: readonly RoverKillPoint[] = ROVER_STEP_KINDS.flatMap((kind) =>
  DEATHS.map((moment) => ({ kind, moment })),
);

/** The variable with the point, as `kind moment`. */
export const ROVER_KILL_AT = 'FOOTNOTE_TEST_ROVER_KILL_AT';

/** Reads the variable with the point; without it no step has the kind. */
export function roverKillPoint(value = ''): RoverKillPoint {
  const [kind, name] = value.split(' ');
  return {
    kind: ROVER_STEP_KINDS.find((each) => each === kind) ?? '',
    moment: DEATHS.find((each) => each === name) ?? '',
  };
}
