import { describe, it } from '@jest/globals';

import { specify } from '#test/support/decider-spec';

import { answerDecider, type GiveAnswer } from './answer.decider.js';

const { given } = specify(answerDecider);
const command: GiveAnswer = {
  type: 'GiveAnswer',
  data: {
    answer_id: 'a1',
    outcome: 'answered',
    model: 'extractive-v1',
    usage: null,
    cited: [2],
    sealed: ['one', 'two', 'three'],
  },
};
const data = { answer_id: 'a1', outcome: 'answered' as const, model: 'extractive-v1', cited: [2] };
const first = { type: 'AnswerGiven' as const, data: { ...data, text: 'one', text_parts: 2 } };

describe('answer', () => {
  it('is recorded once, its text in as many parts as needed', () => {
    const parts = ['two', 'three'].map((sealed, at) => ({
      type: 'AnswerContinued' as const,
      data: { part: at + 1, sealed },
    }));
    given()
      .when(command)
      .then(first, ...parts);
    given(first, ...parts)
      .when(command)
      .thenNothingHappened();
  });

  it('records the tokens that the model counted', () => {
    const usage = { prompt_tokens: 900, completion_tokens: 40 };
    given()
      .when({ ...command, data: { ...command.data, usage, sealed: ['one'] } })
      .then({ ...first, data: { ...data, ...usage, text: 'one', text_parts: 0 } });
  });

  it('stores no text if none may be stored', () => {
    given()
      .when({ ...command, data: { ...command.data, sealed: [] } })
      .then({ ...first, data: { ...data, text: null, text_parts: 0 } });
  });
});
