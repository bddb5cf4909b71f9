import { describe, expect, it } from '@jest/globals';

import { answerFromDraft, checkCoverage, understand } from '#research';
import { passage } from '#test/support/research/passages';

const ROUNDS = 500;
const WORDS = 'the view matches a path and returns its rule to the caller'.split(' ');
const EVIDENCE = [
  passage({
    content: 'def view(self):\n    # matches a path, limit 12\n    return self.rule_of(7)',
  }),
  passage({ repo: 'pallets/werkzeug', line: 31, content: 'class Rule:\n    timeout = 250' }),
];
/** Repeats the same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

/** Returns facts that no passage has, in each form that a model may write them in. */
function invented(next: (below: number) => number): string {
  const id = 1_000 + next(9_000);
  const forms = [
    `${id}`,
    `${id}.5`,
    `\`made_up_${id}\``,
    `made_up_${id}`,
    `MadeUp${id}`,
    `Rule.madeUp${id}`,
    `madeUp()`,
    `src/made/up_${id}.py`,
    `owner${id}/repo`,
    `abcdef${id}`,
    `line ${id}`,
    `v${id}.2.1`,
    `rule::MadeUp`,
  ];
  return forms[next(forms.length)] ?? '';
}

describe('invented facts', () => {
  it('never get into an answer, whatever a model cites for them', () => {
    const understanding = understand('How does the view match a path?', ['pallets/flask']);
    const repositories = ['pallets/flask', 'pallets/werkzeug'];
    const coverage = checkCoverage({ understanding, repositories, passages: EVIDENCE });
    const input = { understanding, evidence: EVIDENCE, coverage, repositories, unread: [] };
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const next = numbers(seed);
      const fact = invented(next);
      const words = [...WORDS];
      words.splice(next(words.length), 0, fact);
      const passages = Array.from({ length: next(5) }, () => next(6) - 1);
      const claim = { text: words.join(' '), passages };
      const answer = answerFromDraft(
        { sections: [{ title: fact, claims: [claim] }], not_found: [`Nothing on ${fact} here.`] },
        input,
      );
      const { sections, not_found } = answer;
      const plain = fact.replaceAll('`', '').replace('line ', '');
      expect(JSON.stringify({ sections, not_found })).not.toContain(plain);
      expect(answer.citations.every(({ id }) => Number(id) <= EVIDENCE.length)).toBe(true);
    }
  });
});
