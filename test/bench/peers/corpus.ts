import {
  closeSync,
  createReadStream,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { SourceChunk } from '#contracts';
import { readDocuments } from '#distil';
import { createChunker } from '#ingest';
import { embedTerms, HASH_NGRAM_DIMENSIONS, weighTerms } from '#retrieval';

import { docstringSet } from '../quality/docstring-set.js';
import { idOf } from '../quality/index-set.js';
import { cutIntoSources } from './cut-into-sources.js';
import type { PeerBatch } from './peer.js';
import {
  knownItemQueries,
  type KnownItemQuery,
  type QueryCounts,
  type Sentence,
} from './peer-queries.js';

/** Into how many sources the chunks are cut. */
const SOURCES = 6;
const BATCH_CHUNKS = 5_000;
const VECTOR_BYTES = HASH_NGRAM_DIMENSIONS * 4;
const QUERIES: QueryCounts = { name: 100, keywords: 100, sentence: 200 };

/** The contents of a written corpus, for the report. */
export interface CorpusSummary {
  readonly chunks: number;
  /** Chunks of each source. */
  readonly sources: readonly number[];
  readonly characters: number;
}

/** The corpus that every peer reads from files, so that none holds another's memory. */
export interface Corpus {
  readonly summary: CorpusSummary;
  readonly queries: readonly KnownItemQuery[];
  /** One at a time, in order of the sources. */
  batches(): AsyncGenerator<PeerBatch>;
}

/**
 * Chunks the heads of some git repositories, embeds the chunks with the built-in model and writes
 * all of it to a folder. Comments that document a function are taken out: their first sentences are
 * queries.
 */
export async function writeCorpus(
  repositories: readonly string[],
  folder: string,
): Promise<CorpusSummary> {
  const { documents, sentences } = await chunkRepositories(repositories);
  const sources = cutIntoSources(documents, SOURCES);
  const chunks = sources.flat(2);
  const lines = openSync(join(folder, 'chunks.jsonl'), 'w');
  const vectors = openSync(join(folder, 'vectors.f32'), 'w');
  for (const [source, documentsOf] of sources.entries()) {
    for (const batch of batchesOf(documentsOf)) {
      writeSync(lines, `${JSON.stringify({ source, chunks: batch })}\n`);
      for (const chunk of batch) {
        const { terms, frequencies } = weighTerms(chunk);
        writeSync(vectors, Buffer.from(embedTerms(terms, frequencies).buffer));
      }
    }
  }
  closeSync(lines);
  closeSync(vectors);
  const summary: CorpusSummary = {
    chunks: chunks.length,
    sources: sources.map((documentsOf) => documentsOf.flat().length),
    characters: chunks.reduce((sum, { content }) => sum + content.length, 0),
  };
  writeFileSync(
    join(folder, 'about.json'),
    JSON.stringify({ summary, queries: knownItemQueries(chunks, sentences, QUERIES) }),
  );
  return summary;
}

export function openCorpus(folder: string): Corpus {
  const about = JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8')) as Omit<
    Corpus,
    'batches'
  >;
  return {
    ...about,
    async *batches() {
      const vectors = openSync(join(folder, 'vectors.f32'), 'r');
      let at = 0;
      try {
        for await (const line of createInterface({
          input: createReadStream(join(folder, 'chunks.jsonl')),
        })) {
          const { source, chunks } = JSON.parse(line) as Omit<PeerBatch, 'vectors'>;
          const bytes = new Uint8Array(chunks.length * VECTOR_BYTES);
          if (readSync(vectors, bytes, 0, bytes.length, at) < bytes.length)
            throw new Error('Vectors are cut off');
          at += bytes.length;
          yield {
            source,
            chunks,
            vectors: chunks.map(
              (_, nth) => new Float32Array(bytes.buffer, nth * VECTOR_BYTES, HASH_NGRAM_DIMENSIONS),
            ),
          };
        }
      } finally {
        closeSync(vectors);
      }
    },
  };
}

interface Chunked {
  /**
   * The chunks of each document, in order of the paths. Paths start with the repository's name
   * where there are several.
   */
  readonly documents: readonly (readonly SourceChunk[])[];
  readonly sentences: readonly Sentence[];
}

async function chunkRepositories(repositories: readonly string[]): Promise<Chunked> {
  const chunker = await createChunker({
    grammarsDirectory: fileURLToPath(new URL('../../../grammars', import.meta.url)),
  });
  try {
    const chunked = repositories.map((folder, nth): Chunked => {
      const placed = (path: string) =>
        repositories.length > 1 ? `${basename(resolve(folder))}-${nth}/${path}` : path;
      const { queries, documents: code } = docstringSet(folder, folder, 'HEAD', Infinity);
      const prose = readDocuments(folder, 'HEAD').filter(({ kind }) => kind !== 'code');
      const documents = [...code(), ...prose]
        .sort((left, right) => (left.path < right.path ? -1 : 1))
        .map((document) => {
          const path = placed(document.path);
          return chunker
            .chunk(document)
            .map((chunk): SourceChunk => ({ ...chunk, path, chunk_id: idOf(path, chunk.ordinal) }));
        });
      const sentences = queries.flatMap(({ query, targets }) =>
        targets.map(({ path, startLine = 0 }): Sentence => ({
          text: query,
          path: placed(path),
          line: startLine,
        })),
      );
      return { documents: documents.filter(({ length }) => length > 0), sentences };
    });
    return {
      documents: chunked.flatMap(({ documents }) => documents),
      sentences: chunked.flatMap(({ sentences }) => sentences),
    };
  } finally {
    chunker.close();
  }
}

function* batchesOf(
  documents: readonly (readonly SourceChunk[])[],
): Generator<readonly SourceChunk[]> {
  let batch: SourceChunk[] = [];
  for (const document of documents) {
    if (batch.length > 0 && batch.length + document.length > BATCH_CHUNKS) {
      yield batch;
      batch = [];
    }
    batch.push(...document);
  }
  if (batch.length > 0) yield batch;
}
