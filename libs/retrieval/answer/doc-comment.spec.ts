import { describe, expect, it } from '@jest/globals';

import { docComment } from './doc-comment.js';

describe('docComment', () => {
  it.each([
    [
      '/**\n * Evicts the oldest entry\n * of the cache.\n *\n * @returns the entry\n */\nfunction evict() {',
      'Evicts the oldest entry of the cache.',
      6,
    ],
    ['// Evicts the oldest entry.\nfunc evict() {', 'Evicts the oldest entry.', 1],
    ['/// Evicts it.\n#[inline]\nfn evict() {', 'Evicts it.', 1],
    ['# Evicts it.\ndef evict\nend', 'Evicts it.', 1],
    [
      'def evict(self):\n    """Evicts the oldest entry.\n\n    More.\n    """\n    pass',
      'Evicts the oldest entry.',
      0,
    ],
    ['def evict(\n    self,\n):\n    """Evicts it."""\n    pass', 'Evicts it.', 0],
    ['-- | Evicts it.\nevict :: Cache', 'Evicts it.', 1],
    ['#include <stdio.h>\nint main() {', '', 0],
    ['const a = 1;\n// not about it\n', '', 0],
    ['// Copyright 2026 Acme. All rights reserved.\npackage acme\n', '', 1],
    ['# SPDX-License-Identifier: MIT\nimport os\n', '', 1],
    ['', '', 0],
  ])('of %j is %j', (text, words, definition) => {
    expect(docComment(text.split('\n'))).toEqual({ text: words, definition });
  });
});
