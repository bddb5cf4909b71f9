import { describe, expect, it } from '@jest/globals';

import { extractiveAnswer } from '#retrieval';

const passage = (content: string, startLine?: number) => ({ content, startLine });

describe('extractiveAnswer', () => {
  it('quotes the lines that cover most of the question, with their place in the file', () => {
    const filler = Array.from({ length: 20 }, (_, index) => `const filler${index} = ${index};`).join('\n');
    const content = `${filler}\nfunction parseHeader(line) {\n  return splitHeader(line);\n}`;
    expect(extractiveAnswer('how is a header parsed?', [passage(content, 100)])).toEqual([
      { passage: 0, line: 120, lines: ['function parseHeader(line) {', '  return splitHeader(line);', '}'] },
    ]);
  });

  it('passes over passages that share nothing with the question', () => {
    const quotes = extractiveAnswer('cache eviction', [passage('const a = 1;'), passage('evict the cache', 3)]);
    expect(quotes).toEqual([{ passage: 1, line: 3, lines: ['evict the cache'] }]);
  });

  it('quotes at most as many passages as asked, in their order', () => {
    const passages = ['cache one', 'cache two', 'cache three'].map((content) => passage(content));
    expect(extractiveAnswer('cache', passages, 2).map((quote) => quote.passage)).toEqual([0, 1]);
  });

  it('has nothing to say without evidence', () => {
    expect(extractiveAnswer('cache', [])).toEqual([]);
    expect(extractiveAnswer('the of', [passage('x y z')])).toEqual([]);
  });
});
