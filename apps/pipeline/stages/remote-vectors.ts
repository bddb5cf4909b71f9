import { createHash } from 'node:crypto';

import { StageFailure } from '#contracts';
import { type EmbeddingInput, isModelError, type PlacedVector } from '#models';
import { quantize, type QuantizedVector } from '#retrieval';
import {
  type ChunkRecord,
  decodePart,
  encodePart,
  type Pack,
  type QuantizedVectors,
  readPack,
  type StorablePart,
  withVectors,
} from '#search-index';

import type { SourceListing } from '../artifacts/source-listing.js';
import { ifThere, manifestIfThere } from './base-manifest.js';
import type { StageContext } from './stage.types.js';
import { VectorJournal } from './vector-journal.js';

/**
 * Vectors from a remote model. It reuses vectors of the base or of an earlier attempt of this
 * stage, if model and input are the same. It requests only the rest.
 */
export class RemoteVectors {
  private constructor(
    private readonly context: StageContext,
    private readonly known: ReadonlyMap<string, QuantizedVector>,
    private readonly journal: VectorJournal,
  ) {}

  static async open(context: StageContext, listing: SourceListing): Promise<RemoteVectors> {
    const journal = new VectorJournal(context.vectorScratch, context.embedder);
    const known = await knownVectors(context, listing);
    for (const { input, ...vector } of await journal.read()) known.set(keyOf(input), vector);
    return new RemoteVectors(context, known, journal);
  }

  /**
   * @param bytes a part without vectors.
   * @param onVectors called with the number of its chunks that have vectors, whenever some arrive.
   * @returns the same part with them.
   */
  async addTo(bytes: Uint8Array, onVectors: (count: number) => void): Promise<Uint8Array> {
    const part = decodePart(bytes);
    const { embedder } = this.context;
    const { dimensions } = embedder;
    const inputs = part.chunks.map(inputHash);
    const vectors: QuantizedVectors = {
      embedderId: embedder.id,
      dimensions,
      values: new Int8Array(part.chunks.length * dimensions),
      scales: new Float32Array(part.chunks.length),
    };
    const place = ({ q, scale }: QuantizedVector, index: number) => {
      vectors.values.set(q, index * dimensions);
      vectors.scales[index] = scale;
    };
    const missing: number[] = [];
    inputs.forEach((input, index) => {
      const known = this.known.get(keyOf(input));
      if (known) place(known, index);
      else missing.push(index);
    });
    onVectors(inputs.length - missing.length);
    await this.embed(
      missing.map((index) => inputOf(part, index)),
      async (answered) => {
        const entries = answered.map(({ at, ...vector }) => {
          const index = missing[at] as number;
          place(vector, index);
          return { ...vector, input: inputs[index] as Buffer };
        });
        await this.journal.append(entries).catch((error: unknown) => {
          this.context.logger.warn({ err: error }, 'Vectors could not be kept for a later attempt');
        });
        onVectors(answered.length);
      },
    );
    return encodePart(withVectors(part, vectors));
  }

  /** To be called when every part is stored with its vectors. */
  async finished(): Promise<void> {
    await this.journal.remove().catch((error: unknown) => {
      this.context.logger.warn(
        { err: error },
        'Vectors kept for a later attempt could not be removed',
      );
    });
  }

  /** @param keep gets every vector once, as soon as it arrives. */
  private async embed(
    inputs: readonly EmbeddingInput[],
    keep: (answered: readonly (QuantizedVector & { readonly at: number })[]) => Promise<void>,
  ): Promise<void> {
    if (inputs.length === 0) return;
    const { embedder, signal } = this.context;
    const kept = new Set<number>();
    const answered = async (placed: readonly PlacedVector[]) => {
      placed.forEach(({ index }) => kept.add(index));
      await keep(placed.map(({ index, vector }) => ({ at: index, ...this.quantized(vector) })));
    };
    const vectors = await embedder
      .embedPassages(inputs, signal, answered)
      .catch((error: unknown) => {
        if (!isModelError(error)) throw error;
        const { message, permanent, statusCode } = error;
        const details = {
          model: embedder.id,
          ...(statusCode !== undefined && { status_code: statusCode }),
        };
        throw new StageFailure(message, !permanent, details, { cause: error });
      });
    if (vectors.length !== inputs.length)
      throw new Error(`${embedder.id} gave ${vectors.length} vectors for ${inputs.length} texts`);
    const rest = vectors.flatMap((vector, index) => (kept.has(index) ? [] : [{ index, vector }]));
    if (rest.length > 0) await answered(rest);
  }

  private quantized(vector: Float32Array): QuantizedVector {
    const { embedder } = this.context;
    const quantized = quantize(vector);
    if (
      vector.length !== embedder.dimensions ||
      !(quantized.scale > 0 && Number.isFinite(quantized.scale))
    ) {
      throw new Error(
        `${embedder.id} gave a vector that is not ${embedder.dimensions} finite numbers`,
      );
    }
    return quantized;
  }
}

function inputOf(part: StorablePart, index: number): EmbeddingInput {
  const { path, symbol, defs } = part.chunks[index] as ChunkRecord;
  const content = Buffer.from(part.textOf(index)).toString('utf8');
  return { path, defs, content, ...(symbol !== undefined && { symbol }) };
}

/** Identifies the embedding input: the text of a chunk that a model sees. */
function inputHash({ path, symbol, defs, content_hash }: ChunkRecord): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([path, symbol ?? null, defs, content_hash]))
    .digest();
}

function keyOf(input: Buffer): string {
  return input.toString('base64');
}

/**
 * Vectors of the base's chunks in documents that were read again, as far as its packs are there.
 */
async function knownVectors(
  { blobs, embedder, job, logger }: StageContext,
  listing: SourceListing,
): Promise<Map<string, QuantizedVector>> {
  const known = new Map<string, QuantizedVector>();
  if (!job.base) return known;
  const manifest = await manifestIfThere(blobs, job.base.manifest);
  const read = new Set(listing.documents.filter(({ kept }) => !kept).map(({ path }) => path));
  if (manifest?.embedder.id !== embedder.id || manifest.embedder.dimensions !== embedder.dimensions)
    return known;
  for (const { hash } of manifest.packs) {
    const bytes = await ifThere(blobs.get(hash));
    if (bytes) addVectors(known, readPack(bytes), read);
    else logger.warn({ pack: hash }, 'The vectors of a pack that is missing cannot be taken over');
  }
  return known;
}

function addVectors(
  known: Map<string, QuantizedVector>,
  pack: Pack,
  paths: ReadonlySet<string>,
): void {
  const { dimensions } = pack.meta.embedder;
  for (let chunk = 0; chunk < pack.tables.chunkCount; chunk += 1) {
    if (!paths.has(pack.tables.path(chunk))) continue;
    known.set(keyOf(inputHash(pack.record(chunk))), {
      q: pack.vectors.slice(chunk * dimensions, (chunk + 1) * dimensions),
      scale: pack.tables.scales[chunk] as number,
    });
  }
}
