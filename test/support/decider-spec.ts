import { expect } from '@jest/globals';

import { type Decider, type ErrorCode, isFootnoteError } from '#contracts';

/** Given events, when a command, then events: how deciders are specified. */
export function specify<Command, State, Event>(decider: Decider<Command, State, Event>) {
  return {
    given: (...events: readonly Event[]) => {
      const state = () =>
        events.reduce(
          (before, event, at) => decider.evolve(before, event, BigInt(at)),
          decider.initial,
        );
      return {
        when(command: Command) {
          return {
            /** Exactly these events, in this order. */
            then(...expected: readonly Event[]): void {
              expect(decider.decide(command, state())).toEqual(expected);
            },
            thenNothingHappened(): void {
              expect(decider.decide(command, state())).toEqual([]);
            },
            /** Refused with this code. */
            thenRefused(code: ErrorCode): void {
              let refusal: unknown = 'nothing was thrown';
              try {
                decider.decide(command, state());
              } catch (error) {
                refusal = error;
              }
              expect(isFootnoteError(refusal, code) ? code : refusal).toBe(code);
            },
          };
        },
        /** The state that the events give. */
        thenState(): State {
          return state();
        },
      };
    },
  };
}
