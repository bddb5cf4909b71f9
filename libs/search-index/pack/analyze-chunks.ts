import type { SourceChunk } from '#contracts';
import type { LocalModel } from '#retrieval';
import { ANALYZER_ID } from '#retrieval/analysis/analyze';
import { TermDictionary } from '#retrieval/analysis/term-dictionary';
import { quantize } from '#retrieval/embedding/quantize';

import {
  type ChunkRecord,
  type QuantizedVectors,
  type StorablePart,
  textReader,
} from './analyzed-part.js';
import { TextBlocksWriter } from './text-blocks.js';

/**
 * Analyzes chunks and, with a local model, embeds them. CPU-heavy: runs in worker threads, a few
 * hundred to a few thousand chunks per call. Chunks of one document stay in one part.
 *
 * @param model null if the vectors come from elsewhere: then `vectors` is null, for {@link
 * withVectors}.
 */
export function analyzeChunks(
  chunks: readonly SourceChunk[],
  model: LocalModel | null,
): StorablePart {
  const dimensions = model?.dimensions ?? 0;
  const dictionary = new TermDictionary();
  const embed = model?.over(dictionary.terms);
  const termOffsets = new Uint32Array(chunks.length + 1);
  const termIds: number[] = [];
  const frequencies: Uint8Array[] = [];
  const lengths = new Uint32Array(chunks.length);
  const values = new Int8Array(chunks.length * dimensions);
  const scales = new Float32Array(model ? chunks.length : 0);
  const spans = new Uint32Array(chunks.length * 3);
  const texts = new TextBlocksWriter();

  chunks.forEach((chunk, index) => {
    const weighed = dictionary.weigh(chunk);
    for (const id of weighed.ids) termIds.push(id);
    frequencies.push(weighed.frequencies);
    termOffsets[index + 1] = termIds.length;
    lengths[index] = weighed.length;
    spans.set(texts.add(Buffer.from(chunk.content)), index * 3);
    if (embed) {
      const { q, scale } = quantize(embed(weighed.ids, weighed.frequencies));
      values.set(q, index * dimensions);
      scales[index] = scale;
    }
  });

  const vectors: QuantizedVectors | null = model && {
    embedderId: model.id,
    dimensions,
    values,
    scales,
  };
  const stored = { spans, ...texts.finish() };
  return {
    analyzer: ANALYZER_ID,
    chunks: chunks.map(withoutContent),
    terms: dictionary.terms,
    termOffsets,
    termIds: Uint32Array.from(termIds),
    frequencies: Buffer.concat(frequencies),
    lengths,
    vectors,
    textOf: textReader(stored),
    stored,
  };
}

function withoutContent(chunk: SourceChunk): ChunkRecord {
  const record: ChunkRecord & { content?: string } = { ...chunk };
  delete record.content;
  return record;
}
