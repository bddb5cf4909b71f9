import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { sweQaSets } from './swe-qa-set.js';

const scratch = tempDir();
afterAll(() => {
  scratch.remove();
});

describe('sweQaSets', () => {
  let folder = '';
  let count = 0;
  beforeEach(() => {
    folder = join(scratch.path, String(count++));
    mkdirSync(join(folder, 'Benchmark'), { recursive: true });
  });
  const write = (pins: string, questions: Readonly<Record<string, string>>): void => {
    writeFileSync(join(folder, 'repo_commit.txt'), pins);
    for (const [name, text] of Object.entries(questions))
      writeFileSync(join(folder, 'Benchmark', `${name}.jsonl`), text);
  };
  const line = (question: string, answer: string): string =>
    `${JSON.stringify({ question, answer })}\n`;

  it('reads the questions of each pinned repository and assigns the halves', () => {
    write(
      'https://github.com/sympy/sympy 3c817ed\n\nhttps://github.com/harbor/tide-clock 0a041d3 \n',
      {
        sympy: line('How?', 'By `core.py`.'),
        'tide-clock': `${line('Where?', 'There.')}\n${line('Why?', 'So.')}`,
      },
    );
    expect(sweQaSets(folder)).toEqual([
      {
        name: 'sympy',
        repo: 'sympy/sympy',
        commit: '3c817ed',
        half: 'choosing',
        questions: [{ id: 'sympy-1', question: 'How?', answer: 'By `core.py`.' }],
      },
      {
        name: 'tide-clock',
        repo: 'harbor/tide-clock',
        commit: '0a041d3',
        half: 'checking',
        questions: [
          { id: 'tide-clock-1', question: 'Where?', answer: 'There.' },
          { id: 'tide-clock-3', question: 'Why?', answer: 'So.' },
        ],
      },
    ]);
  });

  it('rejects a line that pins nothing', () => {
    write('https://github.com/harbor/tide\n', { tide: '' });
    expect(() => sweQaSets(folder)).toThrow(
      'repo_commit.txt:1 must be a GitHub address and a commit (got "https://github.com/harbor/tide")',
    );
  });

  it('rejects a question without an answer', () => {
    write('https://github.com/harbor/tide 0a041d3\n', { tide: '{"question": "How?"}\n' });
    expect(() => sweQaSets(folder)).toThrow('tide.jsonl:1 must have a question and an answer');
  });
});
