import { describe, expect, it } from '@jest/globals';

import type { LineExpression } from '#code-search/pattern/line-engine.port';
import { RustLineEngine } from '#code-search/pattern/rust-line-engine';
import { foldText, type RequiredText } from '#contracts/content/required-text';

const engine = new RustLineEngine();

function required(pattern: string, fields: Partial<LineExpression> = {}): RequiredText {
  const matcher = engine.compile({
    pattern,
    regex: true,
    caseSensitive: true,
    word: false,
    ...fields,
  });
  matcher.free();
  return matcher.requiredText;
}

function meets(folded: string, condition: RequiredText): boolean {
  switch (condition.kind) {
    case 'any':
      return true;
    case 'text':
      return folded.includes(condition.text);
    case 'and':
      return condition.parts.every((part) => meets(folded, part));
    default:
      return condition.parts.some((part) => meets(folded, part));
  }
}

function described(condition: RequiredText): string {
  if (condition.kind === 'any') return '*';
  if (condition.kind === 'text') return condition.text;
  return `(${condition.kind} ${condition.parts.map(described).join(' ')})`;
}

/** Returns numbers below a bound, the same for one seed. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 9) % below;
  };
}

/** Returns an expression of letters that the texts have, nested up to a depth. */
function madePattern(next: (below: number) => number, depth = 3): string {
  const letters = ['a', 'b', 's', 'k', 'S', 'é', 'É', 'ß', 'Σ', '数', '[ab]', '[^a]', '.'];
  const letter = (): string => letters[next(letters.length)] as string;
  const word = (): string => Array.from({ length: 1 + next(4) }, letter).join('');
  if (depth === 0) return word();
  const part = (): string => madePattern(next, depth - 1);
  const made: readonly (() => string)[] = [
    word,
    () => part() + part(),
    () => `(?:${part()}|${part()})`,
    () => `(${part()}|${part()}|${word()})${part()}`,
    () => `(?:${part()})${['?', '*', '+', '{2}', '{1,3}', '{0,1}', '+?'][next(7)]}`,
    () => `(?i:${part()})`,
    () => `${['^', '\\b', ''][next(3)]}${part()}${['$', '\\B', ''][next(3)]}`,
  ];
  return (made[next(made.length)] as () => string)();
}

describe('the required text of an expression', () => {
  it.each([
    ['KafkaConsumer<\\w+, \\w+>', 'KAFKACONSUMER<'],
    ['(?i)\\b(todo|fixme)\\b', '(or TODO FIXME)'],
    ['[A-Z]{3,}_TIMEOUT_MS', '_TIMEOUT_MS'],
    ['fo[ob]ar', '(or FOBAR FOOAR)'],
    ['carts?x', '(or CARTX CARTSX)'],
    ['(abc)+def', '(and ABC DEF)'],
    ['abc.*def', '(and ABC DEF)'],
    ['abc|..', '*'],
    ['\\d{5,}L', '*'],
    ['ab', '*'],
    ['(abc|x*)', '*'],
  ])('of %s is %s', (pattern, expected) => {
    expect(described(required(pattern))).toBe(expected);
  });

  it('of a text is the text, without regard to case', () => {
    expect(described(required('a.B', { regex: false }))).toBe('A.B');
    expect(described(required('straße', { caseSensitive: false, word: true }))).toBe('STRASSE');
  });

  it('is met by every line that matches one of 1,500 made expressions', () => {
    const next = generator(11);
    const letters = [
      'a',
      'b',
      's',
      'k',
      'S',
      'ſ',
      'K',
      'é',
      'É',
      'ß',
      'ẞ',
      'σ',
      'ς',
      'Σ',
      '数',
      ' ',
    ];
    const lines = Array.from({ length: 16 }, () =>
      Array.from({ length: 1 + next(12) }, () => letters[next(letters.length)]).join(''),
    );
    const folded = lines.map(foldText);
    let matched = 0;
    let excluded = 0;
    for (let at = 0; at < 1_500; at += 1) {
      const pattern = madePattern(next);
      const fields = { regex: true, caseSensitive: next(2) === 0, word: next(4) === 0 };
      const matcher = engine.compile({ pattern, ...fields });
      for (const [line, text] of lines.entries()) {
        const isMet = meets(folded[line] as string, matcher.requiredText);
        if (!isMet) excluded += 1;
        if (matcher.find(text).length === 0) continue;
        matched += 1;
        if (!isMet) throw new Error(`${pattern} ${JSON.stringify(fields)} matches ${text}`);
      }
      matcher.free();
    }
    expect(Math.min(matched, excluded)).toBeGreaterThan(100);
  });
});

describe('foldText', () => {
  it('is equal for all characters that the engine matches without regard to case', () => {
    const cased = Array.from({ length: 0x1_e000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /[\p{Cased}\p{CWCF}\p{CWL}\p{CWU}]/u.test(character));
    const all = Buffer.from(cased.join(''));
    const different: string[] = [];
    for (const character of cased) {
      const matcher = engine.compile({
        pattern: character,
        regex: false,
        caseSensitive: false,
        word: false,
      });
      for (const [from, to] of matcher.find(all.toString())) {
        const other = all.toString('utf8', from, to);
        if (foldText(other) !== foldText(character)) different.push(character + other);
      }
      matcher.free();
    }
    expect(cased.length).toBeGreaterThan(2_500);
    expect(different).toEqual([]);
  });

  it('keeps parts of a text as parts of its form', () => {
    for (const text of ['ΟΔΟΣ ΟΔΟΣ', 'straße', 'İstanbul', 'ﬁnal', '\u{10400}x']) {
      const units = [...text];
      for (let from = 0; from < units.length; from += 1)
        for (let to = from + 1; to <= units.length; to += 1)
          expect(foldText(text)).toContain(foldText(units.slice(from, to).join('')));
    }
  });
});
