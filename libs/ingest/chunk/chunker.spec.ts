import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';

import { createChunker, type Chunker } from './chunker.js';
import type { DocumentKind } from '../parse/parsed-document.js';

let chunker: Chunker;
beforeAll(async () => {
  chunker = await createChunker({ grammarsDirectory: fileURLToPath(new URL('../../../grammars', import.meta.url)) });
});

function chunk(text: string, language: string, kind: DocumentKind = 'code') {
  return chunker.chunk({ path: 'a', version: 'v', kind, language, text });
}

describe('chunks', () => {
  it('are none for an empty or blank file', () => {
    expect(chunk('', 'typescript')).toEqual([]);
    expect(chunk('\n \n\r\n', 'typescript')).toEqual([]);
  });

  it('name the class and the method, and keep CRLF', () => {
    const [first] = chunk('\r\nclass Cat {\r\n  purr() {\r\n  }\r\n}\r\n', 'typescript');
    expect(first).toMatchObject({
      content: 'class Cat {\r\n  purr() {\r\n  }\r\n}\r',
      start_line: 2,
      end_line: 5,
      symbol: 'Cat',
      defs: ['Cat', 'purr'],
      chunk_type: 'code',
      token_count: 12,
    });
  });

  it('come out of a file that breaks off where a scanner would look on for ever', () => {
    expect(chunk('val a = 1\n@Name', 'kotlin').map(({ content }) => content)).toEqual(['val a = 1\n@Name']);
  });

  it('of prose carry the trail of headings, and a fence holds none', () => {
    const text = '# Guide\n\n## Install\n\n```sh\n# not a heading\n```\n\n## Use\n\nRun it.\n';
    expect(
      chunk(text, 'markdown', 'prose').map(({ start_line, end_line, symbol }) => [start_line, end_line, symbol]),
    ).toEqual([
      [1, 7, 'Guide > Install'],
      [9, 11, 'Guide > Use'],
    ]);
  });
});
