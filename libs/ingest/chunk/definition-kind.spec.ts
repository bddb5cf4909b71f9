import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Chunker, createChunker } from './chunker.js';

const LANGUAGES: readonly (readonly [language: string, text: string, places: string[]])[] = [
  [
    'typescript',
    'export class Cart {\n  total(): number { return 1; }\n}\n' +
      'interface Shape { area(): number }\ntype Id = string;\nenum Color { Red }\n' +
      'export const VAT = 19;\nconst sum = () => VAT;\nfunction run() {}\n',
    [
      '1:14 class Cart',
      '2:3 method Cart.total',
      '4:11 interface Shape',
      '4:19 method Shape.area',
      '5:6 type Id',
      '6:6 enum Color',
      '7:14 constant VAT',
      '8:7 function sum',
      '9:10 function run',
    ],
  ],
  [
    'typescript',
    'export declare const NestFactory: Factory;\ndeclare let cache: Map<string, string>;\n' +
      'export declare function run(): void;\nexport declare class Cart {}\nexport var old = 1;\n',
    [
      '1:22 constant NestFactory',
      '2:13 constant cache',
      '3:25 function run',
      '4:22 class Cart',
      '5:12 constant old',
    ],
  ],
  [
    'python',
    'VAT = 19\nclass Cart:\n    def total(self):\n        def inner(): pass\ndef run(): pass\n',
    [
      '1:1 constant VAT',
      '2:7 class Cart',
      '3:9 method Cart.total',
      '4:13 function Cart.total.inner',
      '5:5 function run',
    ],
  ],
  [
    'python',
    'one = two = three = 0\nif one:\n    four = five = None\nrun = walk = lambda: 0\n' +
      'def inner():\n    local = other = 0\nself.a = b = 0\n',
    [
      '1:1 constant one',
      '1:7 constant two',
      '1:13 constant three',
      '3:5 constant four',
      '3:12 constant five',
      '4:1 function run',
      '4:7 function walk',
      '5:5 function inner',
      '7:10 constant b',
    ],
  ],
  [
    'java',
    'class Cart {\n  static final int VAT = 1;\n  Cart() {}\n  int total() { return 1; }\n}\n' +
      'interface Shape {}\nenum Color { RED }\n',
    [
      '1:7 class Cart',
      '2:20 constant Cart.VAT',
      '3:3 method Cart.Cart',
      '4:7 method Cart.total',
      '6:11 interface Shape',
      '7:6 enum Color',
      '7:14 constant Color.RED',
    ],
  ],
  [
    'go',
    'package a\n\ntype Cart struct{}\ntype Shape interface{}\nfunc (c *Cart) Total() int { return 1 }\n' +
      'func Run() {}\nconst VAT = 1\n',
    [
      '3:6 struct Cart',
      '4:6 interface Shape',
      '5:16 method Cart.Total',
      '6:6 function Run',
      '7:7 constant VAT',
    ],
  ],
  [
    'rust',
    'struct Cart;\nimpl Cart {\n    fn total(&self) {}\n}\ntrait Shape {}\nmod tax {\n    fn rate() {}\n}\n' +
      'macro_rules! cart { () => {} }\n',
    [
      '1:8 struct Cart',
      '3:8 method Cart.total',
      '5:7 trait Shape',
      '6:5 module tax',
      '7:8 function tax.rate',
      '9:14 macro cart',
    ],
  ],
];

describe('definitions', () => {
  let chunker: Chunker;

  beforeAll(async () => {
    const grammarsDirectory = fileURLToPath(new URL('../../../grammars', import.meta.url));
    chunker = await createChunker({ grammarsDirectory });
  });
  afterAll(() => chunker.close());

  it.each(LANGUAGES)('of %s have kind, line and column', (language, text, places) => {
    const chunks = chunker.chunk({ path: 'file', kind: 'code', language, text });
    const found = chunks.flatMap(({ definitions = [] }) => definitions);
    expect(
      found.map(({ symbol, place }) => `${place?.line}:${place?.column} ${place?.kind} ${symbol}`),
    ).toEqual(places);
  });

  it('end where they end, also in a later chunk', () => {
    const body = Array.from({ length: 900 }, (_, at) => `    value_${at} = compute(${at})`);
    const text = ['class Long:', '  def method(self):', ...body, 'def after(): pass'].join('\n');
    const chunks = chunker.chunk({ path: 'a.py', kind: 'code', language: 'python', text });
    expect(chunks.length).toBeGreaterThan(1);
    const [long] = chunks[0]?.definitions ?? [];
    expect(long?.end_line).toBeLessThan(902);
    expect(long?.place?.last_line).toBe(902);
  });
});
