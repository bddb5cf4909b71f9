import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { Grammars } from '#ingest/chunk/grammars';
import { SyntaxParser } from '#ingest/chunk/syntax-parser';

import type { NameOccurrence } from './name-occurrence.js';
import { OccurrenceFinder } from './occurrence-finder.js';

const GRAMMARS = fileURLToPath(new URL('../../../grammars', import.meta.url));

/** Returns what an identifier stands for: `local` and `own` with the lines of declarations. */
function meaning({ binding }: NameOccurrence): string {
  if (binding.kind === 'unknown') return 'unknown';
  if (binding.kind === 'imported')
    return [binding.modules.join('|'), binding.imported, binding.member ?? ''].join(' ').trim();
  return `${binding.isLocal ? 'local' : 'own'} ${binding.places.map(({ line }) => line).join()}`;
}

/** Language, text, and for each identifier `pay` its line and what it stands for. */
const TEXTS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'typescript',
    [
      "import { pay } from './pay';",
      'pay();',
      'function a(pay: number) { return pay; }',
      'const b = ({ pay }) => pay;',
      'for (const pay of x) { pay; }',
      'x.pay();',
    ].join('\n'),
    [
      '1 ./pay pay',
      '2 ./pay pay',
      '3 local 3',
      '3 local 3',
      '4 local 4',
      '4 local 4',
      '5 local 5',
      '5 local 5',
      '6 unknown',
    ],
  ],
  [
    'typescript',
    [
      'export class Shop {',
      '  pay() { return this.pay(); }',
      '}',
      "import * as money from './money';",
      "import { Till } from './till';",
      'money.pay(); Till.pay(); Shop.pay();',
      "export { pay as other } from './pay';",
    ].join('\n'),
    ['2 own 2', '2 own 2', '6 ./money pay', '6 ./till Till pay', '6 own 2', '7 ./pay pay'],
  ],
  [
    'javascript',
    ["import pay from './pay.js';", 'var a = pay;', 'function b() { var pay = 1; { pay; } }'].join(
      '\n',
    ),
    ['1 ./pay.js default', '2 ./pay.js default', '3 local 3', '3 local 3'],
  ],
  [
    'python',
    [
      'from .money import pay',
      'import shop.till as till',
      'pay(pay=1)',
      'def a(x, pay=2):',
      '    return [pay for pay in pay]',
      'def b():',
      '    pay = 3',
      '    return pay',
      'class C:',
      '    def pay(self):',
      '        return self.pay() + till.pay() + x.pay',
    ].join('\n'),
    [
      '1 .money pay',
      '3 .money pay',
      '3 unknown',
      '4 local 4',
      '5 local 5',
      '5 local 5',
      '5 local 5',
      '7 local 7',
      '8 local 7',
      '10 own 10',
      '11 own 10',
      '11 shop.till pay',
      '11 unknown',
    ],
  ],
  [
    'java',
    [
      'package a.b;',
      'import c.Till;',
      'class Shop {',
      '  int pay() { int pay = 1; return pay + pay() + this.pay() + Till.pay() + x.pay(); }',
      '}',
    ].join('\n'),
    [
      '4 own 4',
      '4 local 4',
      '4 local 4',
      '4 own 4',
      '4 own 4',
      '4 c.Till Till pay',
      '4 a.b.x x pay',
    ],
  ],
  [
    'go',
    [
      'package a',
      'import "example.com/shop/money"',
      'func b() { pay(); money.pay() }',
      'func c(pay int) int { return pay }',
      'func d() { pay := 1; use(pay, T{pay: pay}) }',
    ].join('\n'),
    [
      '3 . pay',
      '3 example.com/shop/money pay',
      '4 local 4',
      '4 local 4',
      '5 local 5',
      '5 local 5',
      '5 unknown',
      '5 local 5',
    ],
  ],
  [
    'rust',
    [
      'use crate::money::{pay, till};',
      'fn a() { pay(); till::pay(); crate::shop::pay(); }',
      'fn b(pay: i32) -> i32 { let c = |pay| pay; pay }',
      'struct S;',
      'impl S { fn pay(&self) { self.pay(); Self::pay(self); x.pay(); } }',
    ].join('\n'),
    [
      '1 crate::money pay',
      '2 crate::money pay',
      '2 crate::money till pay',
      '2 crate::shop pay',
      '3 local 3',
      '3 local 3',
      '3 local 3',
      '3 local 3',
      '5 own 5',
      '5 own 5',
      '5 own 5',
      '5 unknown',
    ],
  ],
];

describe('scopes and imports', () => {
  let finder: OccurrenceFinder;
  beforeAll(async () => {
    finder = new OccurrenceFinder(await Grammars.open(GRAMMARS), new SyntaxParser(60_000));
  });

  it.each(TEXTS)('show what identifiers of %s stand for (%#)', (language, text, meanings) => {
    const { names } = finder.find({ path: 'a', language, text }, 'pay');
    expect(names.map((name) => `${name.line} ${meaning(name)}`)).toEqual(meanings);
  });

  it('leave identifiers unknown that are nested too deeply, and in other languages', () => {
    const deep = `${'('.repeat(2_000)}pay${')'.repeat(2_000)}`;
    for (const [language, text] of [
      ['python', deep],
      ['ruby', 'pay()'],
    ] as const)
      expect(finder.find({ path: 'a', language, text }, 'pay').names.map(meaning)).toEqual([
        'unknown',
      ]);
  });

  it('name the modules that a file passes on', () => {
    const passedOn = (language: string, text: string) =>
      finder.find({ path: 'a', language, text }, 'pay').passedOn;
    expect(passedOn('typescript', "export * from './a';\nexport { b } from './b';")).toEqual([
      './a',
    ]);
    expect(passedOn('python', 'from .a import *\nfrom .b import c')).toEqual(['.a']);
    expect(passedOn('rust', 'pub use crate::a::*;')).toEqual(['crate::a']);
  });
});
