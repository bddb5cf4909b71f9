import { createHash } from 'node:crypto';

import type { ChunkDefinition, ChunkMember, Manifest, ManifestPack, SourceChunk } from '#contracts';
import { ANALYZER_ID, type LocalModel, quantize, WORD_HASHING } from '#retrieval';
import {
  analyzeChunks,
  buildPack,
  encodeDropped,
  type LiveSource,
  markDropped,
  type StorablePart,
  withVectors,
} from '#search-index';
import type { PackMeta } from '#search-index/pack/pack-layout';
import { decodeHeader, decodeSections, encodeSections } from '#search-index/pack/sections';

/** A model that a test makes up. It embeds text; a local one, terms. */
export interface SketchModel {
  readonly id: string;
  /** A multiple of 16. */
  readonly dimensions: number;
  readonly embed: (text: string) => Float32Array;
}

/** A vector of 16 dimensions along one of them. */
export function axis(dimension: number): Float32Array {
  return new Float32Array(16).fill(1, dimension, dimension + 1);
}

/** A chunk to be; `text` is its content. */
export interface ChunkSketch {
  readonly path: string;
  readonly text: string;
  readonly ordinal?: number;
  readonly symbol?: string;
  readonly defs?: readonly string[];
  readonly definitions?: readonly ChunkDefinition[];
  readonly members?: readonly ChunkMember[];
  readonly language?: string;
  /** Marks a page, which has no lines. */
  readonly page?: true;
  readonly fragment?: string;
}

/** A source whose generations a test writes by hand. Blobs are kept in memory. */
export class IndexedSource {
  private readonly blobs = new Map<string, Uint8Array>();

  constructor(
    readonly tenantId: string,
    readonly sourceId: string,
  ) {}

  at(generation: number): LiveSource {
    return { tenantId: this.tenantId, sourceId: this.sourceId, generation };
  }

  readonly readBlob = (hash: string): Promise<Uint8Array> => {
    const blob = this.blobs.get(hash);
    return blob ? Promise.resolve(blob) : Promise.reject(new Error(`no blob ${hash}`));
  };

  chunk(sketch: ChunkSketch): SourceChunk {
    const { path, text, ordinal = 0, symbol, defs = [], definitions, members } = sketch;
    const { language = 'typescript', page, fragment } = sketch;
    return {
      chunk_id: uuidOf(this.tenantId, this.sourceId, path, ordinal, text),
      path,
      ordinal,
      content: text,
      content_hash: createHash('sha256').update(text).digest('hex'),
      token_count: text.split(' ').length,
      ...(!page && {
        start_line: ordinal * 10 + 1,
        end_line: ordinal * 10 + 1 + text.split('\n').length - 1,
      }),
      ...(symbol !== undefined && { symbol }),
      ...(fragment !== undefined && { fragment }),
      defs,
      ...(definitions !== undefined && { definitions }),
      ...(members !== undefined && { members }),
      chunk_type: page ? 'docs' : 'code',
      language,
    };
  }

  idOf(sketch: ChunkSketch): string {
    return this.chunk(sketch).chunk_id;
  }

  /**
   * Stores a pack of some chunks.
   * @param dropped paths whose chunks the generation no longer has
   * @param model embeds the chunks; word hashing when undefined
   */
  pack(
    sketches: readonly ChunkSketch[],
    dropped: readonly string[] = [],
    model: SketchModel | LocalModel = WORD_HASHING,
  ): ManifestPack {
    const analyzed = analyzeChunks(
      sketches.map((sketch) => this.chunk(sketch)),
      isLocal(model) ? model : null,
    );
    const part = isLocal(model) ? analyzed : embeddedBy(model, analyzed);
    const embedder = embedderOf(model);
    const meta = {
      tenant_id: this.tenantId,
      source_id: this.sourceId,
      analyzer: ANALYZER_ID,
      embedder,
    };
    const { bytes, chunkCount, documents } = buildPack([part], meta);
    const hash = this.store(bytes);
    const gone = documents.flatMap(({ path, first, chunks }) =>
      dropped.includes(path) ? Array.from({ length: chunks }, (_, i) => first + i) : [],
    );
    return {
      hash,
      chunks: chunkCount,
      dropped_count: gone.length,
      ...(gone.length > 0 && { dropped: encodeDropped(markDropped(undefined, chunkCount, gone)) }),
    };
  }

  /** Stores a pack as an earlier version would that did not write some sections. */
  packWithout(sections: readonly string[], sketches: readonly ChunkSketch[]): ManifestPack {
    const { hash } = this.pack(sketches);
    const whole = this.blobs.get(hash) as Uint8Array;
    const { meta, section } = decodeSections<PackMeta>(whole);
    const kept = Object.keys(decodeHeader(whole).sections).filter(
      (name) => !sections.includes(name),
    );
    const bytes = encodeSections(
      meta,
      Object.fromEntries(kept.map((name) => [name, section(name)])),
    );
    return { hash: this.store(bytes), chunks: meta.chunks, dropped_count: 0 };
  }

  private store(bytes: Uint8Array): string {
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.blobs.set(hash, bytes);
    return hash;
  }

  manifest(
    generation: number,
    packs: readonly ManifestPack[],
    model?: SketchModel | LocalModel,
  ): Manifest {
    const chunks = packs.reduce((sum, pack) => sum + pack.chunks - pack.dropped_count, 0);
    return {
      format: 1,
      tenant_id: this.tenantId,
      source_id: this.sourceId,
      generation,
      version_ref: `version-${generation}`,
      recipe: 'test',
      analyzer: ANALYZER_ID,
      embedder: embedderOf(model),
      documents: [],
      packs,
      file_count: 0,
      chunk_count: chunks,
    };
  }
}

function embedderOf({
  id,
  dimensions,
}: Pick<SketchModel, 'id' | 'dimensions'> = WORD_HASHING): Manifest['embedder'] {
  return { id, dimensions };
}

function isLocal(model: SketchModel | LocalModel): model is LocalModel {
  return 'profile' in model;
}

function embeddedBy({ id, dimensions, embed }: SketchModel, part: StorablePart): StorablePart {
  const vectors = part.chunks.map((_, at) =>
    quantize(embed(Buffer.from(part.textOf(at)).toString())),
  );
  return withVectors(part, {
    embedderId: id,
    dimensions,
    values: Int8Array.from(vectors.flatMap(({ q }) => [...q])),
    scales: Float32Array.from(vectors, ({ scale }) => scale),
  });
}

/** A UUID that stands for some words. */
export function uuidOf(...words: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(words.join('\n')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
