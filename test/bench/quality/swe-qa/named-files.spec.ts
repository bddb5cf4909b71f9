import { describe, expect, it } from '@jest/globals';

import { namedFiles } from './named-files.js';

const inText = namedFiles([
  'Makefile',
  'setup.py',
  'docs/setup.py',
  'harbor/session.py',
  'harbor/pool/core.py',
  'harbor/cache/core.py',
  'harbor/pool/__init__.py',
]);

describe('namedFiles', () => {
  it('returns the files of paths and of ends of paths, each once', () => {
    const text = 'Class A in `harbor/session.py` (line 3); see ./session.py:12 and pool/core.py.';
    expect(inText(text)).toEqual(['harbor/pool/core.py', 'harbor/session.py']);
  });

  it('prefers a whole path to the end of another', () => {
    expect(inText('It is in setup.py.')).toEqual(['setup.py']);
  });

  it('ignores an end that several paths have', () => {
    expect(inText('It is in core.py.')).toEqual([]);
  });

  it('ignores parts of names, other files and words', () => {
    expect(inText('ession.py, missing.py, harbor.pool.core, Makefile, e.g., self.x')).toEqual([]);
  });

  it('returns nothing for an empty text', () => {
    expect(inText('')).toEqual([]);
  });
});
