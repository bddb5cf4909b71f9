import { type Decider, MOST_REFUSAL_EVENTS, type RefusalEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface RecordRefusals {
  readonly type: 'RecordRefusals';
  readonly data: RefusalEvent['data'];
}

/** Events of the minute so far. */
export type RefusalState = number;

/**
 * Stream `refusals-<minute_id>`: the refusals of one tenant in one minute, of all processes
 * together, in at most {@link MOST_REFUSAL_EVENTS} events.
 */
export const refusalDecider: Decider<RecordRefusals, RefusalState, RefusalEvent> = {
  initial: 0,
  decide: ({ data }, events) =>
    events < MOST_REFUSAL_EVENTS ? [{ type: 'RequestsRefused', data }] : [],
  evolve: (events) => events + 1,
};

export const refusalStreams = defineStream({
  pattern: 'refusals-<minute_id>',
  decider: refusalDecider,
  commands: { RecordRefusals: true },
  events: { RequestsRefused: true },
});
