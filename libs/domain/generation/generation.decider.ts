import type { Decider, GenerationEvent } from '#contracts';

import type { GenerationCommand } from './generation.commands.js';
import type { GenerationState } from './generation.state.js';

/** Stream `generation-<source id>`: which generations of a source have left the index. */
export const generationDecider: Decider<GenerationCommand, GenerationState, GenerationEvent> = {
  initial: { status: 'untouched' },
  decide,
  evolve,
};

/** True when the generation was dropped. */
export function isDropped(state: GenerationState, generation: number): boolean {
  return state.status === 'pruned' && state.dropped.has(generation);
}

function decide(command: GenerationCommand, state: GenerationState): readonly GenerationEvent[] {
  switch (command.type) {
    case 'DropGeneration':
      return isDropped(state, command.data.generation) ? [] : [{ type: 'GenerationDropped', data: command.data }];
  }
}

function evolve(state: GenerationState, event: GenerationEvent): GenerationState {
  switch (event.type) {
    case 'GenerationDropped': {
      const before = state.status === 'pruned' ? state.dropped : [];
      return { status: 'pruned', dropped: new Set([...before, event.data.generation]) };
    }
    default:
      return state;
  }
}
