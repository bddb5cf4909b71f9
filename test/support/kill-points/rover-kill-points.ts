import { ROVER_STEP_KINDS, type RoverStepKind } from '#contracts/rover/rover-job';

import { DEATHS } from '../research/dying-store.js';

/** A kind of step, and the moment of it at which a whole service dies. */
export interface RoverKillPoint {
  readonly kind: RoverStepKind | '';
  readonly moment: (typeof DEATHS)[number] | '';
}

/** A death in each kind of step, in the order of a job; the moments are those of `DEATHS`. */
export const ROVER_KILL_POINTS: readonly RoverKillPoint[] = [
  { kind: 'understand', moment: 'ended' },
  { kind: 'choose', moment: 'ending' },
  { kind: 'read', moment: 'ending' },
  { kind: 'search', moment: 'ended' },
  { kind: 'follow', moment: 'started' },
  { kind: 'check', moment: 'started' },
  { kind: 'write', moment: 'ending' },
];

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
