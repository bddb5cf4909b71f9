import { createHash } from 'node:crypto';

import { BM25_B, BM25_K1 } from '#retrieval';

import { RefusedRequestError, engineUnavailable, type SearchServer } from './server.js';

export interface LayoutOptions {
  readonly indexPrefix: string;
  readonly shards: number;
  readonly replicas: number;
}

/** Raised whenever the mapping changes: another version is another index, filled from the packs. */
export const LAYOUT_VERSION = 2;

/** How long a deletion outlives its row, so that a write that was under way for long does not bring the row back. */
const REMEMBERED_DELETES = '10m';
/** Whoever writes refreshes when a generation is complete; this is for what nobody completes. */
const REFRESH_INTERVAL = '30s';

/**
 * The share of BM25 that a term has in a chunk; its weight comes with the query as boost, from statistics of the tenant
 * alone. Lucene's own would take them over all tenants and all dead generations of a shard.
 */
const TERM_SHARE =
  `double length = doc.length * field.docCount / (double) field.sumTotalTermFreq;` +
  `return query.boost * doc.freq / (doc.freq + ${BM25_K1} * (1 - ${BM25_B} + ${BM25_B} * length));`;

/** The two indices: `<prefix>-chunks-vN`, a row a chunk, and `<prefix>-generations-vN`, a record a source. */
export class IndexLayout {
  readonly chunks: string;
  readonly records: string;
  private known: string | undefined;
  /** Fields that the mapping has. */
  private fields = new Set<string>();

  constructor(
    private readonly server: SearchServer,
    private readonly options: LayoutOptions,
  ) {
    this.chunks = `${options.indexPrefix}-chunks-v${LAYOUT_VERSION}`;
    this.records = `${options.indexPrefix}-generations-v${LAYOUT_VERSION}`;
  }

  /** Makes what is missing. @returns the id of the index of chunks: an index made anew has another. */
  async ensure(): Promise<string> {
    const present = await this.readId();
    if (present !== undefined) return present;
    await this.putTemplate(this.chunks, this.chunkIndex());
    await this.putTemplate(this.records, this.recordIndex());
    await this.create(this.records);
    await this.create(this.chunks);
    const made = await this.readId();
    if (made === undefined) throw engineUnavailable();
    return made;
  }

  /** Makes the index of records where it is missing, also beside an index of chunks that is there. */
  async ensureRecords(): Promise<void> {
    await this.ensure();
    const path = `/${this.records}/_mapping`;
    const { status } = await this.server.request({ method: 'GET', path, accept: [404] });
    if (status !== 404) return;
    await this.putTemplate(this.records, this.recordIndex());
    await this.create(this.records);
  }

  /** The id of the index of chunks as it was read last; undefined when there is none. */
  async currentId(): Promise<string | undefined> {
    return this.known ?? this.readId();
  }

  async readId(): Promise<string | undefined> {
    interface Found {
      readonly settings: { readonly index: { readonly uuid: string } };
      readonly mappings: { readonly properties: Readonly<Record<string, unknown>> };
    }
    const { status, body } = await this.server.request<Readonly<Record<string, Found>>>({
      method: 'GET',
      path: `/${this.chunks}`,
      accept: [404],
    });
    const found = status === 404 ? undefined : Object.values(body)[0];
    this.fields = new Set(Object.keys(found?.mappings.properties ?? {}));
    this.known = found?.settings.index.uuid;
    return this.known;
  }

  /** Adds the vector field of a model to the mapping. */
  async ensureVectorField(embedder: { readonly id: string; readonly dimensions: number }): Promise<void> {
    const field = vectorField(embedder);
    if (this.fields.has(field)) return;
    const method = { name: 'hnsw', engine: 'lucene', parameters: { m: 16, ef_construction: 100 } };
    const { dimensions: dimension } = embedder;
    const vector = { type: 'knn_vector', dimension, data_type: 'byte', space_type: 'cosinesimil', method };
    await this.server.request({
      method: 'PUT',
      path: `/${this.chunks}/_mapping`,
      body: { properties: { [field]: vector } },
    });
    this.fields.add(field);
  }

  private async putTemplate(index: string, template: object): Promise<void> {
    await this.server.request({
      method: 'PUT',
      path: `/_index_template/${index}`,
      body: { index_patterns: [index], template },
    });
  }

  private async create(index: string): Promise<void> {
    try {
      await this.server.request({ method: 'PUT', path: `/${index}` });
    } catch (error) {
      if (error instanceof RefusedRequestError && error.type === 'resource_already_exists_exception') return;
      throw error;
    }
  }

  private chunkIndex(): object {
    const keyword = { type: 'keyword' };
    const integer = { type: 'integer' };
    const unsearched = { type: 'keyword', index: false, doc_values: false };
    const uncounted = { type: 'integer', index: false, doc_values: false };
    return {
      settings: {
        index: {
          knn: true,
          number_of_shards: this.options.shards,
          number_of_replicas: this.options.replicas,
          refresh_interval: REFRESH_INTERVAL,
          gc_deletes: REMEMBERED_DELETES,
          similarity: { term_share: { type: 'scripted', script: { source: TERM_SHARE } } },
        },
      },
      mappings: {
        dynamic: 'strict',
        // What is left out can be had from `ranking` and `row_id`, which are read as columns.
        _source: { excludes: ['tokens', 'embedding_*', 'ranking', 'row_id'] },
        _routing: { required: true },
        properties: {
          tenant_id: keyword,
          source_id: keyword,
          chunk_id: keyword,
          path: keyword,
          language: keyword,
          file_key: keyword,
          defs: { type: 'keyword', ignore_above: 8_000 },
          ordinal: integer,
          from_generation: integer,
          to_generation: integer,
          tokens: { type: 'text', analyzer: 'whitespace', index_options: 'freqs', similarity: 'term_share' },
          ranking: { type: 'binary', doc_values: true },
          // The id once more: as a column it is read without the row.
          row_id: { type: 'binary', doc_values: true },
          chunk_type: unsearched,
          content_hash: unsearched,
          start_line: uncounted,
          end_line: uncounted,
          token_count: uncounted,
          length: uncounted,
          content: { type: 'text', index: false },
        },
      },
    };
  }

  private recordIndex(): object {
    return {
      settings: { index: { number_of_shards: 1, number_of_replicas: this.options.replicas } },
      mappings: {
        dynamic: 'strict',
        properties: {
          tenant_id: { type: 'keyword' },
          source_id: { type: 'keyword' },
          index_id: { type: 'keyword' },
          change: { type: 'long' },
          swept: { type: 'boolean' },
          generations: { type: 'object', enabled: false },
        },
      },
    };
  }
}

/** Field of a model's vectors: no two models share one. */
export function vectorField({ id, dimensions }: { readonly id: string; readonly dimensions: number }): string {
  return `embedding_${createHash('sha256').update(id).digest('hex').slice(0, 12)}_${dimensions}`;
}
