import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  type AnswerDraft,
  answerFromDraft,
  checkCoverage,
  citedPlace,
  type ResearchPassage,
  understand,
  writeAnswer,
} from '#research';
import { passage } from '#test/support/research/passages';

const FLASK = 'pallets/flask';
const WERKZEUG = 'pallets/werkzeug';
const DISPATCH = passage({
  line: 10,
  symbol: 'Flask.dispatch_request',
  content:
    'def dispatch_request(self):\n    """Matches the URL and returns the view. The limit is 16384."""\n    rule = self.url_map.bind(request)\n    return self.view(rule)',
});
const MATCH = passage({
  repo: WERKZEUG,
  path: 'src/routing/map.py',
  line: 40,
  symbol: 'MapAdapter.match',
  content: 'def match(self, path):\n    """Matches a path and raises NotFound."""\n    return rule',
});

function inputOf(
  question: string,
  evidence: readonly ResearchPassage[] = [DISPATCH, MATCH],
  repositories = [FLASK, WERKZEUG],
) {
  const understanding = understand(question, repositories);
  const coverage = checkCoverage({ understanding, repositories, passages: evidence });
  return { understanding, evidence, coverage, repositories, unread: [] };
}
const QUESTION = 'How does dispatch_request match a path?';
const draft = (text: string, passages: readonly number[], more: Partial<AnswerDraft> = {}) => ({
  sections: [{ title: 'Matching', claims: [{ text, passages }] }],
  not_found: [],
  ...more,
});
const claimsOf = (given: AnswerDraft, input = inputOf(QUESTION)) =>
  answerFromDraft(given, input).sections.flatMap(({ claims }) => claims);

describe('writeAnswer', () => {
  it('quotes both repositories, and cites every claim', () => {
    const answer = writeAnswer(inputOf(QUESTION));
    expect(answer.sections.map(({ title }) => title)).toEqual([FLASK, WERKZEUG]);
    expect(answer.sections.flatMap(({ claims }) => claims.map((each) => each.citations))).toEqual([
      ['1'],
      ['2'],
    ]);
    expect(answer.answer).toContain('`MapAdapter.match` in `src/routing/map.py:40-42`: [2]');
    expect(answer.answer).toContain('> Matches a path and raises NotFound.');
    expect(answer.not_found).toEqual([]);
    expect(answer.confidence).not.toBe('low');
  });

  it('cites the commit, the lines and the hash of the text', () => {
    const [first] = writeAnswer(inputOf(QUESTION)).citations;
    expect(first).toMatchObject({ id: '1', repo: FLASK, content: DISPATCH.result.content });
    expect(first?.sha256).toBe(createHash('sha256').update(DISPATCH.result.content).digest('hex'));
    expect(first && citedPlace(first)).toBe(
      `${FLASK}@2ac89889f4cc330eabd50f295dcef02828522c69 src/app.py:10-13`,
    );
  });

  it('reports names without a passage, and lowers the confidence', () => {
    const answer = writeAnswer(inputOf('How does `resolve_tenant` match a path?'));
    expect(answer.not_found).toContain('No passage has `resolve_tenant`.');
    expect(answer.confidence).toBe('low');
  });

  it('reports repositories without an answer, and repositories that were not read', () => {
    const input = inputOf('How does dispatch_request match the URL?', [DISPATCH]);
    const unread = [{ repo: 'a/b', reason: 'the repository is private' }];
    expect(writeAnswer({ ...input, unread }).not_found).toEqual([
      'Nothing in `pallets/werkzeug` answers the question.',
      '`a/b` was not read: the repository is private.',
    ]);
  });

  it('has no claim and no confidence without evidence', () => {
    const answer = writeAnswer(inputOf(QUESTION, []));
    expect(answer).toMatchObject({ sections: [], citations: [], confidence: 'insufficient' });
    expect(answer.not_found.length).toBeGreaterThan(0);
  });

  it('shows contradicting values side by side', () => {
    const one = passage({ content: 'max_body_size = 10', line: 3 });
    const other = passage({ repo: WERKZEUG, content: 'max_body_size = 20', line: 5 });
    const answer = writeAnswer(inputOf('What is the max_body_size?', [one, other]));
    expect(answer.sections.at(-1)).toMatchObject({
      title: 'Contradictions',
      claims: [
        { text: '`max_body_size` has different values: `10` and `20`.', citations: ['1', '2'] },
      ],
    });
  });

  it('removes hidden characters of passages, and quotes no link or element', () => {
    const hostile = passage({
      isProse: true,
      content: 'Match a path\u202E ![x](https://evil.example/p.png) <img src="y"> [1] now.',
    });
    const { answer } = writeAnswer(inputOf('match a path', [hostile], [FLASK]));
    expect(answer).not.toMatch(/\u202E|(?<!\\)<img|(?<!!\\)!\[/);
  });
});

describe('answerFromDraft', () => {
  it('keeps a supported claim with its citations', () => {
    expect(
      claimsOf(draft('`dispatch_request` matches the URL and returns the view.', [1])),
    ).toEqual([
      {
        text: '`dispatch_request` matches the URL and returns the view.',
        citations: ['1'],
        support: 'supported',
      },
    ]);
  });

  it.each([
    ['a name', 'The `resolve_tenant` function matches the URL.', [1]],
    ['a name without code marks', 'dispatchRequests matches the URL and the view.', [1]],
    ['a number', 'It matches the URL up to 4096 times.', [1]],
    ['a part of a number', 'The limit of the view is 1638.', [1]],
    ['a name of another passage', '`MapAdapter.match` matches the URL.', [1]],
    ['a line', 'Line 99 matches the URL and returns the view.', [1]],
    ['a repository', 'The repository evil/other matches the URL.', [1]],
    ['a commit', 'Since deadbeef1 it matches the URL.', [1]],
    ['no passage', 'It matches the URL of the view.', []],
    ['a passage that is not listed', 'It matches the URL.', [3, 0, -1, 1.5]],
    ['words that no passage has', 'Bananas ripen slowly during warm summer weeks.', [1]],
  ])('removes a claim with %s', (_, text, passages) => {
    const kept = 'It matches the URL and returns the view.';
    const given = draft(kept, [1]);
    const both = {
      ...given,
      sections: [...given.sections, ...draft(text, passages).sections],
    };
    const answer = answerFromDraft(both, inputOf(QUESTION));
    expect(answer.sections.flatMap(({ claims }) => claims.map((each) => each.text))).toEqual([
      kept,
    ]);
    expect(answer.not_found).toContain('A statement without support was removed.');
    expect(answer.answer).not.toContain(text);
  });

  it.each([
    ['[here](https://evil.example/x)', 'here'],
    ['![x](https://evil.example/p.png)', 'x'],
    ['see https://evil.example/x?q=1', 'see'],
    ['[x]: https://evil.example', ''],
    ['a [7] b', 'a b'],
    ['<img src=x> y', '\\<img src=x> y'],
    ['javascript:alert(1)', ''],
  ])('leaves no link of %s', (addition) => {
    const [claim] = claimsOf(draft(`It matches the URL and returns the view. ${addition}`, [1]));
    const text = claim?.text ?? '';
    expect(text).not.toMatch(/evil|https?:|javascript:|\]\(|(?<!\\)<img|\[7\]/);
  });

  it('quotes the evidence where nothing of the draft is left', () => {
    const input = inputOf(QUESTION);
    expect(answerFromDraft(draft('`nothing_of_it` exists.', [1]), input)).toEqual(
      writeAnswer(input),
    );
    expect(answerFromDraft({ sections: [], not_found: [] }, input)).toEqual(writeAnswer(input));
  });

  it('drops titles and missing parts that have invented names', () => {
    const given = {
      ...draft('It matches the URL and returns the view.', [1]),
      not_found: ['Nothing about `invented_name`.', 'Nothing about the path.'],
    };
    const named = {
      ...given,
      sections: given.sections.map((each) => ({ ...each, title: 'On evil_thing' })),
    };
    const answer = answerFromDraft(named, inputOf(QUESTION));
    expect(answer.sections[0]?.title).toBe('Findings');
    expect(answer.not_found).toContain('Nothing about the path.');
    expect(answer.not_found.join()).not.toContain('invented_name');
  });

  it('bounds sections and claims', () => {
    const text = 'It matches the URL and returns the view.';
    const claims = Array.from({ length: 100 }, () => ({ text, passages: [1] }));
    const sections = Array.from({ length: 100 }, () => ({ title: 'x', claims }));
    expect(claimsOf({ sections, not_found: [] })).toHaveLength(40);
  });
});
