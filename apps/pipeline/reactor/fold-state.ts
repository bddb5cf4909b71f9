import type { ReactorState } from './reactor.types.js';

/** A fold of events whose state is lines of one type. */
interface SavedFold<Line> {
  save(): Iterable<Line>;
  load(line: Line): void;
  clear(): void;
}

/**
 * Returns the state of a reactor that keeps one fold.
 * @param version of {@link ReactorState}.
 */
export function foldState<Line>(version: number, fold: SavedFold<Line>): ReactorState {
  return {
    version,
    save: () => fold.save(),
    load: (line) => fold.load(line as Line),
    clear: () => fold.clear(),
  };
}
