import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Chunker, createChunker } from './chunker.js';

const LANGUAGES: readonly (readonly [language: string, text: string, places: string[]])[] = [
  [
    'typescript',
    `export class Cart {
  #lines = 0;
  private static vat = 19;
  readonly total = () => 1;
  constructor(private readonly store: Store, readonly id: string, plain: number) {}
  run(options: { fast: boolean }) {}
}
interface Shape { area: number; name?: string; inner: { depth: number } }
type Pair = { left: string };
enum Color { Red, Green = 2 }
const literal = { never: 1 };
`,
    [
      '2:3 property Cart.#lines',
      '3:18 property Cart.vat',
      '5:32 property Cart.store',
      '5:55 property Cart.id',
      '6:18 property Cart.run.fast',
      '8:19 property Shape.area',
      '8:33 property Shape.name',
      '8:48 property Shape.inner',
      '8:57 property Shape.inner.depth',
      '9:15 property Pair.left',
      '10:14 constant Color.Red',
      '10:19 constant Color.Green',
    ],
  ],
  [
    'javascript',
    'class Cart {\n  size = 0;\n  constructor() {\n    this.owner = 1;\n    this.owner = 2;\n' +
      '    this.size = 1;\n  }\n}\nthis.loose = 1;\n',
    ['2:3 property Cart.size', '4:10 property Cart.owner'],
  ],
  [
    'python',
    'class Cart:\n    vat: int = 19\n    def __init__(self):\n        self.size = 0\n' +
      '        self.size = 1\n        self.vat = 20\n        other.size = 2\n\nself.loose = 1\n',
    ['2:5 property Cart.vat', '4:14 property Cart.size'],
  ],
  [
    'python',
    'class Till:\n    open = _closed = ready = None\n    def __init__(self):\n' +
      '        self.left = self.right = local = 0\n',
    [
      '2:5 property Till.open',
      '2:12 property Till._closed',
      '2:22 property Till.ready',
      '4:14 property Till.left',
      '4:26 property Till.right',
    ],
  ],
  [
    'java',
    'class Cart {\n  static final int VAT = 1;\n  private int size = 1, weight;\n' +
      '  void run() { int local = 1; }\n}\nrecord Pair(String left) {}\n' +
      'interface Shape { int SIDES = 4; }\n',
    [
      '3:15 property Cart.size',
      '3:25 property Cart.weight',
      '6:20 property Pair.left',
      '7:23 property Shape.SIDES',
    ],
  ],
  [
    'go',
    'package a\n\ntype Cart struct {\n\tSize, Weight int\n\t*Store\n\tother.Named\n' +
      '\tInner struct{ Depth int }\n}\n',
    [
      '4:2 property Cart.Size',
      '4:8 property Cart.Weight',
      '5:3 property Cart.Store',
      '6:8 property Cart.Named',
      '7:2 property Cart.Inner',
      '7:16 property Cart.Inner.Depth',
    ],
  ],
  [
    'rust',
    'struct Cart {\n    pub size: u32,\n}\nenum Shape {\n    Box { side: u32 },\n}\n',
    ['2:9 property Cart.size', '5:11 property Shape.side'],
  ],
  [
    'vue',
    '<template>\n  <p />\n</template>\n<script lang="ts">\nexport class Cart {\n  size = 0;\n}\n' +
      '</script>\n',
    ['6:3 property file.Cart.size'],
  ],
];

describe('members', () => {
  let chunker: Chunker;

  beforeAll(async () => {
    const grammarsDirectory = fileURLToPath(new URL('../../../grammars', import.meta.url));
    chunker = await createChunker({ grammarsDirectory });
  });
  afterAll(() => chunker.close());

  const chunksOf = (language: string, text: string) =>
    chunker.chunk({ path: `file.${language}`, kind: 'code', language, text });

  it.each(LANGUAGES)('of %s have kind, line, column and parent', (language, text, places) => {
    const found = chunksOf(language, text).flatMap(({ members = [] }) => members);
    expect(
      found.map(({ name, parent, kind, line, column }) => {
        return `${line}:${column} ${kind} ${parent}.${name}`;
      }),
    ).toEqual(places);
  });

  it.each(LANGUAGES)(
    'of %s are neither defined names nor definitions',
    (language, text, places) => {
      const names = places.map((place) => place.slice(place.lastIndexOf('.') + 1));
      for (const { defs, definitions = [], symbol } of chunksOf(language, text)) {
        const ranked = [...defs, symbol, ...definitions.map(({ name }) => name)];
        expect(ranked.filter((name) => names.includes(name ?? ''))).toEqual([]);
      }
    },
  );

  it('leave the symbols of definitions inside of them as they were', () => {
    const text = 'class Cart {\n  handlers = { run() {} };\n}\n';
    const [chunk] = chunksOf('typescript', text);
    expect(chunk?.members?.map(({ name }) => name)).toEqual(['handlers']);
    expect(chunk?.definitions?.map(({ symbol }) => symbol)).toEqual(['Cart', 'Cart.run']);
  });

  it('are in the chunk that has their line, and end where they end', () => {
    const fields = Array.from({ length: 200 }, (_, at) => `  field_${at}: {\n    x: number;\n  };`);
    const chunks = chunksOf('typescript', `interface Wide {\n${fields.join('\n')}\n}\n`);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { members = [], start_line = 0, end_line = 0 } of chunks)
      for (const { line } of members) {
        expect(line).toBeGreaterThanOrEqual(start_line);
        expect(line).toBeLessThanOrEqual(end_line);
      }
    const all = chunks.flatMap(({ members = [] }) => members);
    expect(all.filter(({ name }) => name.startsWith('field_'))).toHaveLength(200);
    expect(all[0]).toMatchObject({ name: 'field_0', line: 2, last_line: 4 });
  });
});
