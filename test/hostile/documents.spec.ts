import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Chunk } from '#contracts';
import { type Chunker, createChunker } from '#ingest/chunk/chunker';
import { CHUNK_LIMITS } from '#ingest/chunk/limits';
import { isSkipped, type ParsedDocument } from '#ingest/parse/parsed-document';
import { parseDocument } from '#ingest/parse-document';
import { threadMilliseconds } from '#test/support/thread-time';

import { DOCUMENT_SHAPES, documentOf, type DocumentShape } from './document-shapes.js';

const GRAMMARS = fileURLToPath(new URL('../../grammars', import.meta.url));
const SIZE = 6_000;
const TIMES = 8;
/**
 * A loaded machine and a cold compiler make work seem dearer; work of a square would grow
 * sixty-four fold.
 */
const MARGIN = 4;
/** Below this, the clock of the processor shows chance. */
const LEAST_MS = 5;
const SHAPES = DOCUMENT_SHAPES.filter(({ kind }) => kind !== 'html').map(
  (shape) => [shape.name, shape] as const,
);

describe('hostile files', () => {
  let chunker: Chunker;
  beforeAll(async () => {
    chunker = await createChunker({ grammarsDirectory: GRAMMARS, parseMilliseconds: 150 });
  });
  afterAll(() => chunker.close());

  async function parsed(shape: DocumentShape, size: number): Promise<ParsedDocument> {
    const document = await parseDocument(documentOf(shape, size));
    if (isSkipped(document)) throw new Error(`${shape.name} was left out`);
    return document;
  }

  function cut(document: ParsedDocument): {
    readonly ms: number;
    readonly chunks: readonly Chunk[];
  } {
    let chunks: readonly Chunk[] = [];
    const ms = threadMilliseconds(() => {
      chunks = chunker.chunk(document);
    });
    return { ms, chunks };
  }

  it.each(SHAPES)(
    'are cut in time that grows with their size, into no more than their text: %s',
    async (_, shape) => {
      const small = await parsed(shape, SIZE);
      const large = await parsed(shape, TIMES * SIZE);
      const few = Math.min(cut(small).ms, cut(small).ms);
      const { ms, chunks } = cut(large);
      expect(ms).toBeLessThan(MARGIN * TIMES * Math.max(few, LEAST_MS));
      expect(chunks.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(
        large.text.length,
      );
      expect(Math.max(...chunks.map(({ token_count: tokens }) => tokens))).toBeLessThanOrEqual(
        CHUNK_LIMITS.hardTokens,
      );
    },
  );
});
