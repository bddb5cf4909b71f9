import type { Decider, GenerationEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export type DropReason = GenerationEvent['data']['reason'];

export interface DropGeneration {
  readonly type: 'DropGeneration';
  readonly data: {
    readonly source_id: string;
    readonly generation: number;
    readonly reason: DropReason;
  };
}

export type GenerationCommand = DropGeneration;

/** The generations of one source that were dropped. */
export type GenerationState =
  | { readonly status: 'untouched' }
  | { readonly status: 'pruned'; readonly dropped: ReadonlySet<number> };

/** Stream `generation-<source id>`: records which generations of a source left the index. */
export const generationDecider: Decider<GenerationCommand, GenerationState, GenerationEvent> = {
  initial: { status: 'untouched' },
  decide,
  evolve,
};

export const generationStreams = defineStream({
  pattern: 'generation-<source_id>',
  decider: generationDecider,
  commands: { DropGeneration: true },
  events: { GenerationDropped: true },
});

/** Returns true if the generation was dropped. */
export function isDropped(state: GenerationState, generation: number): boolean {
  return state.status === 'pruned' && state.dropped.has(generation);
}

function decide(command: GenerationCommand, state: GenerationState): readonly GenerationEvent[] {
  switch (command.type) {
    case 'DropGeneration':
      return isDropped(state, command.data.generation)
        ? []
        : [{ type: 'GenerationDropped', data: command.data }];
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
