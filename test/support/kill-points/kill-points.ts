/** Steps of signing and of delivery after which a whole service can be killed. */
export const SIGNING_POINTS = [
  'the tree is read',
  'the log takes the checkpoint',
  'the checkpoint is appended',
  'the witness has cosigned',
  'the bucket has the copy',
  'an answer of a keeper is recorded',
] as const;
export const DELIVERY_POINTS = ['the receiver has accepted', 'the delivery is recorded'] as const;
export type KillPoint = (typeof SIGNING_POINTS | typeof DELIVERY_POINTS)[number];

/** The variable with the point. */
export const KILL_AT = 'FOOTNOTE_TEST_KILL_AT';
/** Printed when the next pass of the point kills. */
export const ARMED = 'the kill point is armed';
