import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { ChunkDefinition } from '#contracts';
import type { CodeSearchResponseView } from '#contracts/http/index';
import { countO200k } from '#ingest/chunk/tokens';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

const CLASS = ['class Cart:', '    def total(self):', '        return tax', '    rate = tax'];
const LATER = ['    def add(self):', '        use(tax)'];
/** Definitions of the class, which is in two chunks. */
const definition = (symbol: string, first: number, end: number, last = end): ChunkDefinition => ({
  name: symbol.split('.').at(-1) ?? '',
  symbol,
  start_line: first,
  end_line: end,
  place: { kind: 'definition', line: first, column: 1, last_line: last },
});

describe('the lines of code search', () => {
  let api: ApiHarness;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await publish(
      api,
      [
        {
          path: 'cart.py',
          content: CLASS.join('\n'),
          symbol: 'Cart',
          startLine: 2,
          before: '\n',
          defs: ['Cart', 'total'],
          definitions: [definition('Cart', 2, 5, 9), definition('Cart.total', 3, 4)],
        },
        {
          path: 'cart.py',
          ordinal: 1,
          content: LATER.join('\n'),
          symbol: 'Cart.add',
          startLine: 8,
          before: '\n \t\n\n',
          after: '\n\ntax = 1\n',
          defs: ['add'],
          definitions: [definition('Cart.add', 8, 9)],
        },
        { path: 'guide.md', content: 'tax', symbol: 'Guide > Tax', before: '', after: '\n\n' },
      ],
      { tenant: api.tenantA, name: 'Shop' },
    );
  });
  afterAll(() => api.stop());

  const search = async (body: object) =>
    (await api.call<CodeSearchResponseView>('POST', '/search/code', body)).body;
  const lines = ({ files }: CodeSearchResponseView) => files.flatMap((file) => file.lines);
  const numbers = (answer: CodeSearchResponseView) => lines(answer).map(({ number }) => number);

  it('names the innermost definition around each line, also over chunks', async () => {
    const answer = await search({ pattern: 'tax' });
    expect(lines(answer).map(({ number, symbol }) => [number, symbol])).toEqual([
      [4, 'Cart.total'],
      [5, 'Cart'],
      [9, 'Cart.add'],
      [11, undefined],
      [1, 'Guide > Tax'],
    ]);
  });

  it('finds blank lines with their white space, and is complete', async () => {
    const blank = await search({ pattern: '^\\s*$', regex: true });
    expect(numbers(blank)).toEqual([1, 6, 7, 10, 2]);
    expect(blank).toMatchObject({ complete: true, warnings: [] });
    expect(numbers(await search({ pattern: '^ \\t$', regex: true }))).toEqual([6]);
    const around = await search({ pattern: 'rate', context_lines: 2 });
    expect(lines(around)[0]?.after).toEqual([' \t', '']);
  });

  describe('with max_tokens', () => {
    const tokens = (texts: readonly string[]) =>
      texts.reduce((sum, text) => sum + countO200k(`${text}\n`), 0);
    const first = ['cart.py:4:        return tax', 'cart.py:5:    rate = tax'];

    it('returns the lines that fit, and continues with the next one', async () => {
      const exact = await search({ pattern: 'tax', max_tokens: tokens(first) });
      expect(numbers(exact)).toEqual([4, 5]);
      expect(exact).toMatchObject({ complete: false, incomplete_reason: 'limit', count: 2 });
      const less = await search({ pattern: 'tax', max_tokens: tokens(first) - 1 });
      expect(numbers(less)).toEqual([4]);
      const rest = await search({ pattern: 'tax', cursor: less.next_cursor });
      expect(numbers(rest)).toEqual([5, 9, 11, 1]);
      expect(rest.complete).toBe(true);
    });

    it('cuts the first line if it alone does not fit', async () => {
      const max_tokens = tokens(first.slice(0, 1)) - 1;
      const answer = await search({ pattern: 'return', context_lines: 3, max_tokens });
      const [line] = lines(answer);
      expect(line).toMatchObject({ number: 4, clipped: true, before: [], after: [] });
      expect(countO200k(`cart.py:4:${line?.text}\n`)).toBeLessThanOrEqual(max_tokens);
    });

    it('replays equal', async () => {
      const request = { pattern: 'tax', max_tokens: tokens(first) };
      const answer = await api.call<CodeSearchResponseView>('POST', '/search/code', request);
      const id = String(answer.headers['x-receipt-id']);
      const replay = await api.call<CodeSearchResponseView>('POST', `/receipts/${id}/replay`);
      expect(replay.headers['x-replay-matches']).toBe('true');
      expect(replay.body.files).toEqual(answer.body.files);
    });

    it.each([0, 32_001, 1.5])('rejects %s', async (max_tokens) => {
      const { status } = await api.call('POST', '/search/code', { pattern: 'tax', max_tokens });
      expect(status).toBe(400);
      const path = `/search/code?pattern=tax&max_tokens=${max_tokens}`;
      expect((await api.call('GET', path)).status).toBe(400);
    });

    it('accepts its edges', async () => {
      expect((await search({ pattern: 'tax', max_tokens: 32_000 })).count).toBe(5);
      expect((await search({ pattern: 'tax', max_tokens: 1 })).count).toBe(1);
    });
  });
});
