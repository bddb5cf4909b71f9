import { describe, expect, it } from '@jest/globals';

import { answerBlocks, answerPieces } from './answer-text.js';
import { byteSize } from './byte-size.js';
import { citationMarkdown, citationText } from './citation-text.js';
import { EventStreamReader } from './event-stream.js';
import { findIdentifier, identifierAt } from './identifiers.js';
import { blockOf, blocksOf } from './line-blocks.js';
import { markRanges } from './mark-ranges.js';
import { markTerms, termsOf } from './mark-terms.js';
import { policySetting, policySettings } from './policy-settings.js';
import { exactTime, inWords, relativeTime } from './relative-time.js';
import { parseRoute, routeFragment } from './route.js';
import { hasSessionCookie } from './session-cookie.js';
import { sourceName, sourceUrlProblem } from './source-url.js';

describe('the logic of the page', () => {
  it('reads places back as it wrote them', () => {
    const params = { q: 'a & b #1?', file: 'src/ä.ts' };
    expect(parseRoute(routeFragment(['search', 'x/y'], params))).toEqual({
      path: ['search', 'x/y'],
      params,
    });
    expect(parseRoute('#/%zz').path).toEqual(['%zz']);
  });

  it('reads events from a stream that is cut anywhere', () => {
    const text = 'event: token\ndata: {"token":"a"}\n\n: beat\n\nevent: done\ndata: x\ndata: y\n\n';
    for (let cut = 0; cut <= text.length; cut += 1) {
      const reader = new EventStreamReader();
      expect([...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))]).toEqual([
        { event: 'token', data: '{"token":"a"}' },
        { event: 'done', data: 'x\ny' },
      ]);
    }
  });

  it('marks the words of a query and loses no character', () => {
    const text = 'The cart_total of carts.\n\tEnd';
    const pieces = markTerms(text, termsOf('what is the cart?'));
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter(({ isMatch }) => isMatch).map((piece) => piece.text)).toEqual([
      'cart',
      'carts',
    ]);
  });

  it('marks ranges of bytes in a line, also in one that is cut', () => {
    const text = 'größe = größe';
    const pieces = markRanges(text, [
      [0, 7],
      [10, 17],
    ]);
    expect(pieces).toEqual([
      { text: 'größe', isMatch: true },
      { text: ' = ', isMatch: false },
      { text: 'größe', isMatch: true },
    ]);
    expect(
      markRanges('abc', [
        [1, 9],
        [12, 14],
      ]),
    ).toEqual([
      { text: 'a', isMatch: false },
      { text: 'bc', isMatch: true },
    ]);
    expect(markRanges('', [])).toEqual([]);
  });

  it('shows settings of the policy as the form names them', () => {
    expect(policySetting('staleness_budget_seconds')?.value(129_600)).toBe('1.5 days');
    expect(policySetting('enforce_refusal')?.value(false)).toBe('no');
    expect(policySetting('updated_at')).toBeNull();
    const policy = { id: 'x', source_priorities: { repo: 1.5 }, min_evidence_count: 0 };
    expect(policySettings(policy)).toEqual([
      ['Least results', '0'],
      ['Priority of repositories', '1.5'],
    ]);
  });

  it('shows bytes in the largest unit', () => {
    expect([0, 1_023, 8_070, 107_374_182_400].map(byteSize)).toEqual([
      '0 bytes',
      '1,023 bytes',
      '7.9 KiB',
      '100 GiB',
    ]);
  });

  it('leaves HTML, images and links of an answer as text', () => {
    const hostile = '<img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](https://x.example)';
    expect(answerBlocks(hostile)).toEqual([
      { kind: 'paragraph', pieces: [{ kind: 'text', text: hostile }] },
    ]);
  });

  it('finds marks, code, lists and fences of an answer', () => {
    expect(answerPieces('See `f()` [12].')).toEqual([
      { kind: 'text', text: 'See ' },
      { kind: 'code', text: 'f()' },
      { kind: 'text', text: ' ' },
      { kind: 'mark', number: 12 },
      { kind: 'text', text: '.' },
    ]);
    const blocks = answerBlocks('# T\n\n- a\n- b\n\n```ts\nx\n\ny\n```\nend\n```\nopen');
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'heading',
      'list',
      'code',
      'paragraph',
      'code',
    ]);
  });

  it('escapes a citation in Markdown', () => {
    const place = {
      source_name: 'A]',
      path: 'b_c.ts',
      start_line: 1,
      end_line: 3,
      version_ref: 'v1',
    };
    expect(citationText(place)).toBe('A], b_c.ts:1-3 at v1');
    expect(citationMarkdown(place, 'https://x.example/<a>')).toBe(
      '[A\\], b\\_c.ts:1-3 at v1](<https://x.example/%3Ca%3E>)',
    );
  });

  it('states times, sessions and wrong addresses', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    expect(relativeTime('2026-01-01T20:30:00Z', now)).toBe('3 hours ago');
    expect(relativeTime('2026-01-02T00:00:20Z', now)).toBe('in a moment');
    expect(relativeTime('2026-01-01T23:59:50Z', now)).toBe('just now');
    expect(exactTime('2026-01-02T00:00:20Z')).toMatch(/^2026-01-0[123] \d\d:\d\d:20$/);
    expect([1, 90, 121, 7_200, 54_000, 172_801].map(inWords)).toEqual([
      'in 1 second',
      'in 90 seconds',
      'in 3 minutes',
      'in 2 hours',
      'in 15 hours',
      'in 3 days',
    ]);
    expect(hasSessionCookie('a=b; __Host-footnote_csrf=x')).toBe(true);
    expect(hasSessionCookie('other_footnote_csrf=x; footnote_csrf=')).toBe(false);
    expect(sourceUrlProblem('repo', 'git@host.example:a/b.git')).toBeUndefined();
    expect(sourceUrlProblem('html', 'ssh://host.example')).toBe('Must begin with https://');
    expect(sourceUrlProblem('repo', 'https://a:b@host.example')).toMatch(/credentials/);
  });

  it('names a source by its address', () => {
    const named = {
      'https://github.com/pallets/flask.git': 'flask',
      'git@host.example:team/shop.git': 'shop',
      'https://api.example.com/v1/openapi.yaml?x=a/b#c': 'openapi',
      'https://docs.example.com/': 'docs.example.com',
      ' ': 'Source',
    };
    expect(Object.keys(named).map(sourceName)).toEqual(Object.values(named));
    expect(sourceName(`https://host.example/${'x'.repeat(300)}`)).toHaveLength(200);
  });

  it('finds identifiers at a place and by name', () => {
    const line = 'const größe = $a.b_1;';
    expect(identifierAt(line, 7)).toEqual({ name: 'größe', column: 7 });
    expect(identifierAt(line, 11)).toEqual({ name: 'größe', column: 7 });
    expect(identifierAt(line, 13)).toBeNull();
    expect(identifierAt(line, line.length)).toBeNull();
    expect(identifierAt('x'.repeat(201), 3)).toBeNull();
    expect(findIdentifier('b_1', ['b_10', line], 5)).toEqual({ name: 'b_1', line: 6, column: 18 });
    expect(findIdentifier('b', ['b_10', line], 5)).toBeNull();
  });

  it('splits a document into blocks of lines', () => {
    expect(blocksOf(0)).toEqual([]);
    expect(blocksOf(100)).toEqual([100]);
    expect(blocksOf(201)).toEqual([100, 100, 1]);
    expect([0, 1, 100, 101, 201].map(blockOf)).toEqual([0, 0, 0, 1, 2]);
  });
});
