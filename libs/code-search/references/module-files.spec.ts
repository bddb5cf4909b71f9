import { describe, expect, it } from '@jest/globals';

import { moduleFiles } from './module-files.js';

describe('the files of a module', () => {
  it.each([
    ['typescript', 'src/a.ts', './b', 'src/b.ts', true],
    ['typescript', 'src/a.ts', './b.js', 'src/b.ts', true],
    ['typescript', 'src/a.ts', '../b', 'b/index.tsx', true],
    ['typescript', 'src/a.ts', './b', 'b.ts', false],
    ['typescript', 'src/a.ts', 'b', 'src/b.ts', false],
    ['python', 'shop/a.py', '.b', 'shop/b.py', true],
    ['python', 'shop/x/a.py', '..b', 'shop/b/__init__.py', true],
    ['python', 'tests/a.py', 'shop.b', 'src/shop/b.py', true],
    ['python', 'tests/a.py', 'shop.b', 'myshop/b.py', false],
    ['java', 'src/a/A.java', 'c.d.E', 'src/main/java/c/d/E.java', true],
    ['java', 'src/a/A.java', 'c.d.E.F', 'src/main/java/c/d/E.java', true],
    ['java', 'src/a/A.java', 'c.d.E', 'src/main/java/x/E.java', false],
    ['go', 'a/a.go', '.', 'a/b.go', true],
    ['go', 'a/a.go', '.', 'b/b.go', false],
    ['go', 'a/a.go', 'example.com/shop/b/c', 'b/c/d.go', true],
    ['go', 'a/a.go', 'example.com/shop/b/c', 'c.go', false],
    ['rust', 'src/a.rs', 'crate::b::c', 'src/b/c.rs', true],
    ['rust', 'x/src/a/mod.rs', 'super::b', 'x/src/b.rs', true],
    ['rust', 'src/a.rs', 'self::b', 'src/a/b.rs', true],
    ['rust', 'src/a/b.rs', 'crate', 'src/lib.rs', true],
    ['rust', 'src/a.rs', 'crate::b', 'src/c.rs', false],
  ])('%s: %s imports %s from %s: %s', (language, from, module, path, isIncluded) => {
    expect(moduleFiles(language, from, module).includes(path)).toBe(isIncluded);
  });
});
