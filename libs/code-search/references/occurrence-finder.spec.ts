import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { Grammars } from '#ingest/chunk/grammars';
import { SyntaxParser } from '#ingest/chunk/syntax-parser';

import { OccurrenceFinder } from './occurrence-finder.js';

const GRAMMARS = fileURLToPath(new URL('../../../grammars', import.meta.url));

/** Language, text with the name `pay` in a comment and a string, places of the identifiers. */
const TEXTS: readonly (readonly [string, string, readonly string[]])[] = [
  ['typescript', '// pay\nconst a = `pay ${pay(x.pay)}`;\npays();', ['2:18', '2:24']],
  ['tsx', 'const a = <b pay="pay">pay {pay}</b>;', ['1:14', '1:29']],
  ['vue', '<template>pay</template>\n<script>\npay("pay");\n</script>\n', ['3:1']],
  ['python', '# pay\npay("pay", f"{pay}")', ['2:1', '2:15']],
  ['java', '// pay\nclass A { int b = pay("pay"); }', ['2:19']],
  ['go', 'package a\n// pay\nvar b = pay("pay")\n', ['3:9']],
  ['rust', '// pay\nfn a() { pay("pay"); }', ['2:10']],
  ['ruby', '# pay\npay("pay")', ['2:1']],
  ['php', '<?php // pay\npay("pay");', ['2:1']],
  ['c', '// pay\nint a = pay("pay");', ['2:9']],
  ['csharp', '// pay\nclass A { int b = Pay.pay("pay"); }', ['2:23']],
  ['kotlin', '// pay\nval a = pay("pay")\n', ['2:9']],
  ['bash', '# pay\npay "pay"\n', ['2:1']],
];

describe('the identifiers with a name', () => {
  let grammars: Grammars;
  beforeAll(async () => {
    grammars = await Grammars.open(GRAMMARS);
  });

  it.each(TEXTS)('are found in %s without comments and strings', (language, text, places) => {
    const finder = new OccurrenceFinder(grammars, new SyntaxParser(60_000));
    const { isParsed, names } = finder.find({ path: 'a', language, text }, 'pay');
    expect(isParsed).toBe(true);
    expect(names.map(({ line, column }) => `${line}:${column}`)).toEqual(places);
  });

  it('are words of the text if its parse runs out of time', () => {
    const finder = new OccurrenceFinder(grammars, new SyntaxParser(-1));
    const binding = { kind: 'unknown' };
    const file = { path: 'a', language: 'python', text: '# pay\npay("pay")' };
    expect(finder.find(file, 'pay')).toEqual({
      isParsed: false,
      passedOn: [],
      names: [
        { line: 1, column: 3, isImport: false, binding },
        { line: 2, column: 1, isImport: false, binding },
        { line: 2, column: 6, isImport: false, binding },
      ],
    });
  });
});
