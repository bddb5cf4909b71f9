import type { AnswerEvent, AnswerOutcome, Decider } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface GiveAnswer {
  readonly type: 'GiveAnswer';
  readonly data: {
    readonly answer_id: string;
    readonly outcome: AnswerOutcome;
    readonly model: string | null;
    readonly conversation_id?: string;
    readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
    readonly cited: readonly number[];
    /** Parts of the sealed text, in order; empty if the tenant's key was destroyed. */
    readonly sealed: readonly string[];
  };
}

export type AnswerCommand = GiveAnswer;
export type AnswerState =
  { readonly status: 'open' } | { readonly status: 'given'; readonly outcome: AnswerOutcome };

/** Stream `answer-<id>`: a question is answered once. */
export const answerDecider: Decider<AnswerCommand, AnswerState, AnswerEvent> = {
  initial: { status: 'open' },
  decide,
  evolve: (state, event) =>
    event.type === 'AnswerGiven' ? { status: 'given', outcome: event.data.outcome } : state,
};

export const answerStreams = defineStream({
  pattern: 'answer-<answer_id>',
  decider: answerDecider,
  commands: { GiveAnswer: true },
  events: { AnswerGiven: true, AnswerContinued: true },
});

function decide({ data }: AnswerCommand, state: AnswerState): readonly AnswerEvent[] {
  if (state.status === 'given') return [];
  const { usage, sealed, cited, ...given } = data;
  const [text = null, ...rest] = sealed;
  return [
    {
      type: 'AnswerGiven',
      data: { ...given, ...usage, cited: [...cited], text, text_parts: rest.length },
    },
    ...rest.map((part, at): AnswerEvent => ({
      type: 'AnswerContinued',
      data: { part: at + 1, sealed: part },
    })),
  ];
}
