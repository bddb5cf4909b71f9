import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import type { ManifestDocument } from '#contracts';
import type { IndexedChunk } from '#search-index';

import { fileText, linesOfText } from './file-text.js';

const chunk = (content: string, more: Partial<IndexedChunk> = {}): IndexedChunk => ({
  chunkId: 'c',
  sourceId: 's',
  path: 'a.py',
  fragment: undefined,
  ordinal: 0,
  startLine: 1,
  endLine: 1,
  content,
  tokenCount: 1,
  symbol: undefined,
  language: 'python',
  chunkType: 'code',
  before: undefined,
  after: undefined,
  ...more,
});
const document = (version = 'v'): ManifestDocument => ({ path: 'a.py', version, chunks: 1 });
const blobId = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

describe('the text of a file', () => {
  it('has what stands between its chunks', () => {
    const chunks = [
      chunk('a', { before: '\n\n' }),
      chunk('b', { before: '\r\n  \r\n', startLine: 5, after: '\n' }),
    ];
    const text = '\n\na\r\n  \r\nb\n';
    expect(fileText(document(), chunks)).toEqual({ text, differences: [] });
    expect(linesOfText(text)).toEqual(['', '', 'a\r', '  \r', 'b']);
  });

  it('is joined by line numbers if that was not recorded', () => {
    const old = [chunk('a'), chunk('b', { startLine: 3 })];
    expect(fileText(document(), old)).toEqual({ text: 'a\n\nb', differences: ['unknown_gaps'] });
    const page = [chunk('a', { startLine: undefined }), chunk('b', { startLine: undefined })];
    expect(fileText(document(), page)).toEqual({ text: 'a\n\nb', differences: ['converted'] });
    const half = [chunk('a', { before: '' }), chunk('b', { startLine: 2, before: '\n' })];
    expect(fileText(document(), half).differences).toEqual(['unknown_gaps']);
  });

  it('is marked if it has markers of secrets or replaced bytes, unless its git blob id is right', () => {
    const whole = { before: '', after: '' };
    const text = 'key = [redacted:github] \ufffd';
    expect(fileText(document(), [chunk(text, whole)]).differences).toEqual([
      'redacted',
      'not_utf8',
    ]);
    expect(fileText(document(blobId(text)), [chunk(text)]).differences).toEqual([]);
  });

  it('is never exact if its version is the git blob id of another text', () => {
    const whole = [chunk('a', { before: '', after: '' })];
    expect(fileText(document(blobId('a')), whole).differences).toEqual([]);
    expect(fileText(document(blobId('a\n')), whole).differences).toEqual(['converted']);
  });
});
