import { createHash } from 'node:crypto';

import type { EmbeddingInput } from '#models';
import { quantise } from '#retrieval';
import {
  decodePart,
  encodePart,
  readPack,
  withVectors,
  type ChunkRecord,
  type QuantisedVectors,
  type StorablePart,
} from '#search-index';

import type { SourceListing } from '../artifacts/source-listing.js';
import { readManifest } from './base-manifest.js';
import type { StageContext } from './stage.types.js';

/** Passages in one request. */
const BATCH = 64;

interface Quantised {
  readonly q: Int8Array;
  readonly scale: number;
}

/**
 * Vectors from a model that lives elsewhere. What the base has embedded with the same model from the same input is taken
 * over; only the rest is asked for.
 */
export class RemoteVectors {
  private constructor(
    private readonly context: StageContext,
    private readonly known: ReadonlyMap<string, Quantised>,
  ) {}

  static async open(context: StageContext, listing: SourceListing): Promise<RemoteVectors> {
    return new RemoteVectors(context, await knownVectors(context, listing));
  }

  /** @param bytes a part without vectors. @returns the same part with them. */
  async addTo(bytes: Uint8Array): Promise<Uint8Array> {
    const part = decodePart(bytes);
    const { embedder } = this.context;
    const { dimensions } = embedder;
    const vectors: QuantisedVectors = {
      embedderId: embedder.id,
      dimensions,
      values: new Int8Array(part.chunks.length * dimensions),
      scales: new Float32Array(part.chunks.length),
    };
    const place = ({ q, scale }: Quantised, index: number) => {
      vectors.values.set(q, index * dimensions);
      vectors.scales[index] = scale;
    };
    const missing: number[] = [];
    part.chunks.forEach((chunk, index) => {
      const known = this.known.get(inputHash(chunk));
      if (known) place(known, index);
      else missing.push(index);
    });
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const answered = await this.embed(batch.map((index) => inputOf(part, index)));
      batch.forEach((index, at) => place(answered[at] as Quantised, index));
    }
    return encodePart(withVectors(part, vectors));
  }

  private async embed(inputs: readonly EmbeddingInput[]): Promise<readonly Quantised[]> {
    const { embedder, signal } = this.context;
    const vectors = await embedder.embedPassages(inputs, signal);
    if (vectors.length !== inputs.length)
      throw new Error(`${embedder.id} gave ${vectors.length} vectors for ${inputs.length} texts`);
    return vectors.map((vector) => {
      if (vector.length !== embedder.dimensions || vector.some((value) => !Number.isFinite(value))) {
        throw new Error(`${embedder.id} gave a vector that is not ${embedder.dimensions} finite numbers`);
      }
      return quantise(vector);
    });
  }
}

function inputOf(part: StorablePart, index: number): EmbeddingInput {
  const { path, symbol, defs } = part.chunks[index] as ChunkRecord;
  const content = Buffer.from(part.textOf(index)).toString('utf8');
  return { path, defs, content, ...(symbol !== undefined && { symbol }) };
}

/** Stands for the embedding input: what a model sees of a chunk. */
function inputHash({ path, symbol, defs, content_hash }: ChunkRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([path, symbol ?? null, defs, content_hash]))
    .digest('base64');
}

/** Vectors of the base's chunks in documents that were read again. */
async function knownVectors(
  { blobs, embedder, job, logger }: StageContext,
  listing: SourceListing,
): Promise<ReadonlyMap<string, Quantised>> {
  const known = new Map<string, Quantised>();
  if (!job.base) return known;
  const manifest = await readManifest(blobs, job.base.manifest).catch((error: unknown) => {
    logger.warn({ err: error }, 'The vectors of the base generation cannot be taken over');
    return null;
  });
  if (manifest?.embedder.id !== embedder.id || manifest.embedder.dimensions !== embedder.dimensions) return known;
  const read = new Set(listing.documents.filter(({ kept }) => !kept).map(({ path }) => path));
  for (const { hash } of manifest.packs) {
    const pack = readPack(await blobs.get(hash));
    const { dimensions } = pack.meta.embedder;
    for (let chunk = 0; chunk < pack.tables.chunkCount; chunk += 1) {
      if (!read.has(pack.tables.path(chunk))) continue;
      known.set(inputHash(pack.record(chunk)), {
        q: pack.vectors.slice(chunk * dimensions, (chunk + 1) * dimensions),
        scale: pack.tables.scales[chunk] as number,
      });
    }
  }
  return known;
}
