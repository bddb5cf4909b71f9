import { describe, expect, it } from '@jest/globals';

import { symbolKind } from './symbol-kind.js';

describe('kinds of symbols', () => {
  it.each([
    ['scip-typescript npm a 1.0.0 src/`b.ts`/run().', 'function'],
    ['scip-typescript npm a 1.0.0 src/`b.ts`/Cart#', 'type'],
    ['scip-typescript npm a 1.0.0 src/`b.ts`/LIMIT.', 'value'],
    ['scip-typescript npm a 1.0.0 src/`b.ts`/Cart#total().', 'method'],
    ['scip-java maven a b 1.0 com/shop/Cart#total(+1).', 'method'],
    ['scip-typescript npm a 1.0.0 src/`b.ts`/Cart#size.', 'property'],
    ['scip-python python a 1.0 `shop.cart`/Cart#', 'type'],
    ['scip-typescript npm a 1.0.0 src/`b.ts`/', undefined],
    ['scip-typescript npm a 1.0.0 src/`b.ts`/run().(cart)', undefined],
    ['scip-typescript npm a 1.0.0 src/`b.ts`/Cart#`<constructor>`().', undefined],
    ['scip-typescript npm a 1.0.0 src/`b.ts`/typeLiteral0:size.', undefined],
    ['scip-python python a 1.0 `shop.cart`/__init__:', undefined],
    ['local 12', undefined],
  ])('%s is %s', (symbol, kind) => {
    expect(symbolKind(symbol)).toBe(kind);
  });
});
