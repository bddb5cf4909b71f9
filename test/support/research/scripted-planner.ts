import type { ChatBody } from '../openai-chat-route.js';
import type { StructuredScript } from '../openai-structured-route.js';

/** Names of the decisions of a rover job, in their order. */
export const DECISIONS = ['understanding', 'choice', 'next_searches', 'answer'] as const;
export type Decision = (typeof DECISIONS)[number];

/** The answers of a model to the decisions of a rover job, by their names. */
export type DecisionScript = Partial<Readonly<Record<Decision, (text: string) => object | string>>>;

/** Returns the decision that a request is for. */
export function decisionOf({ response_format }: ChatBody): Decision | undefined {
  const name = response_format?.json_schema?.name;
  return DECISIONS.find((decision) => decision === name);
}

/** Returns the script of a model that knows schemas, and plans by the first listed items. */
export function plannerScript(more: DecisionScript = {}): StructuredScript {
  const answers: Required<DecisionScript> = { ...FIRST_LISTED, ...more };
  return {
    ways: ['jsonSchema'],
    others: 'reject',
    answer: (body) => {
      const decision = decisionOf(body);
      return decision ? answers[decision](body.messages[1]?.content ?? '') : 'What?';
    },
  };
}

const FIRST_LISTED: Required<DecisionScript> = {
  understanding: () => ({ kind: 'how', names: [], terms: ['w1', 'w2'] }),
  choice: (text) => ({ repositories: text.includes('\nr2\n') ? ['r2', 'r1'] : ['r1'] }),
  next_searches: () => ({ is_answered: false, actions: ['a1'] }),
  answer: () => ({
    sections: [
      {
        title: 'Reader',
        claims: [{ text: 'The reader passes 4096 to `allocate_ring`.', passages: ['p1', 'p2'] }],
      },
    ],
    not_found: [],
  }),
};
