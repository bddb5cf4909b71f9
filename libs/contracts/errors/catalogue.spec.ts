import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { ERROR_CATALOGUE } from './catalogue.js';

describe('the error catalogue', () => {
  it('is what docs/errors.md says, row by row', () => {
    const documented = [
      ...readFileSync('docs/errors.md', 'utf8').matchAll(
        /^\| `(\w+)` +\| (\d{3}) +\| (.+?) +\|$/gm,
      ),
    ];
    const rows = documented.map(([, code, status, meaning]) => [code, Number(status), meaning]);
    expect(rows).toEqual(
      Object.entries(ERROR_CATALOGUE).map(([code, { status, meaning }]) => [code, status, meaning]),
    );
  });
});
