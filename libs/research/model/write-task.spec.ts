import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { answerFromDraft, checkCoverage, understand, writeTask } from '#research';
import { passage } from '#test/support/research/passages';

const OF_EACH = 10;
const JOBS = 100;
const QUESTION = 'Which limit does the reader pass to the ring?';

describe('writeTask', () => {
  it('cites a thousand passages with equal bytes, and drops each id that is not listed', () => {
    const understanding = understand(QUESTION, ['ring/reader']);
    const repositories = ['ring/reader'];
    let cited = 0;
    for (let job = 0; job < JOBS; job += 1) {
      const evidence = Array.from({ length: OF_EACH }, (_, at) =>
        passage({
          repo: 'ring/reader',
          path: `src/reader_${job}_${at}.py`,
          line: at + 1,
          content: `def reader():\r\n\t# ü passes the limit ${job * OF_EACH + at}\u200b\n    ring(limit)`,
        }),
      );
      const claims = evidence.map((_, at) => ({
        text: 'The reader passes the limit to the ring.',
        passages: [`p${at + 1}`, `p${OF_EACH + 1 + at}`, 'p0', 'p01', `${at + 1}`],
      }));
      const invented = { text: 'The reader passes the limit to the ring.', passages: ['p99'] };
      const task = writeTask(QUESTION, evidence);
      const sections = [{ title: 'Reader', claims: [...claims, invented] }];
      const read = task?.read({ sections, not_found: [] });
      if (!read || !('plan' in read)) throw new Error('The draft was rejected');
      const coverage = checkCoverage({ understanding, repositories, passages: evidence });
      const input = { understanding, evidence, coverage, repositories, unread: [] };
      const answer = answerFromDraft(read.plan, input);
      expect(answer.not_found).toContain('A statement without support was removed.');
      for (const citation of answer.citations) {
        const own = evidence.find(({ result }) => result.citation.path === citation.path);
        expect(Buffer.from(citation.content)).toEqual(Buffer.from(own?.result.content ?? ''));
        const sha256 = createHash('sha256').update(citation.content).digest('hex');
        expect(citation.sha256).toBe(sha256);
      }
      expect(answer.sections.flatMap((each) => each.claims)).toHaveLength(OF_EACH);
      cited += answer.citations.length;
    }
    expect(cited).toBe(1_000);
  });

  it('rejects a draft that cites nothing listed', () => {
    const task = writeTask(QUESTION, [passage({ content: 'ring(limit)' })]);
    const claims = [{ text: 'The ring has a limit.', passages: ['p2'] }];
    expect(task?.read({ sections: [{ title: 'x', claims }], not_found: [] })).toEqual({
      problem: 'These ids are not listed: "p2"',
    });
    expect(writeTask(QUESTION, [])).toBeNull();
  });
});
