import { TimeSlices } from '#platform';

/**
 * Counts turns of the event loop while some work runs. @returns its result and the turns that it
 * left to others.
 */
export async function countTurns<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0;
  let running = true;
  const turn = (): void => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return { result: await work(), turns };
  } finally {
    running = false;
  }
}

/** Slices that end with every so many looks at the clock, so that a test depends on no speed. */
export function countedSlices(looks: number): {
  readonly slices: TimeSlices;
  readonly looks: () => number;
} {
  let time = 0;
  return { slices: new TimeSlices(looks, () => (time += 1)), looks: () => time };
}
