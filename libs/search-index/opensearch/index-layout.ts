import { createHash } from 'node:crypto';

import { BM25_B, BM25_K1 } from '#retrieval';

import { TRIGRAMS, TRIGRAMS_FIELD } from './row-trigrams.js';
import { engineUnavailable, RefusedRequestError, type SearchServer } from './server.js';

export interface LayoutOptions {
  readonly indexPrefix: string;
  readonly shards: number;
  readonly replicas: number;
  /**
   * True for a build: its indices have names that are used only once, so no template remains for
   * them.
   */
  readonly isBuild?: boolean;
}

/** Names of definitions, which are found as a whole, by their beginning and by expressions. */
const NAMES = { type: 'keyword', ignore_above: 8_000 };
/** Field of the names of members; missing in an index that an earlier version created. */
const MEMBERS_FIELD = 'members';

/**
 * Raised whenever the mapping changes, except for fields that writers add. Another version is
 * another index, filled from the packs.
 */
export const LAYOUT_VERSION = 2;

/** Time that a deletion outlives its row, so that a delayed write does not restore the row. */
const REMEMBERED_DELETES = '10m';
/**
 * Timeout of the request that replaces one index by another; without its answer, the serving index
 * is unknown.
 */
const SWITCH_TIMEOUT_MS = 60_000;
/** Writers refresh when a generation is complete; this interval is for incomplete ones. */
const REFRESH_INTERVAL = '30s';

/**
 * The BM25 contribution of a term in a chunk. Its weight comes with the query as boost, from
 * statistics of the tenant alone. Lucene would compute it over all tenants and dropped generations
 * of a shard.
 */
const TERM_SHARE =
  `double length = doc.length * field.docCount / (double) field.sumTotalTermFreq;` +
  `return query.boost * doc.freq / (doc.freq + ${BM25_K1} * (1 - ${BM25_B} + ${BM25_B} * length));`;

/**
 * The two indices: `<prefix>-chunks-vN`, one row per chunk, and `<prefix>-generations-vN`, one
 * record per source. After a rebuild, both names are aliases of `<prefix>-build-<id>-chunks-vN` and
 * `<prefix>-build-<id>-generations-vN`.
 */
export class IndexLayout {
  readonly chunks: string;
  readonly records: string;
  private known: string | undefined;
  private name: string | undefined;
  /** Fields of the mapping. */
  private fields = new Set<string>();

  constructor(
    private readonly server: SearchServer,
    private readonly options: LayoutOptions,
  ) {
    this.chunks = `${options.indexPrefix}-chunks-v${LAYOUT_VERSION}`;
    this.records = `${options.indexPrefix}-generations-v${LAYOUT_VERSION}`;
  }

  /**
   * Creates missing indices.
   * @returns the id of the index of chunks; a recreated index has another id.
   */
  async ensure(): Promise<string> {
    const present = await this.readId();
    if (present !== undefined) return present;
    if (!this.options.isBuild) {
      await this.putTemplate(this.chunks, this.chunkIndex());
      await this.putTemplate(this.records, this.recordIndex());
    }
    await this.create(this.records, this.recordIndex());
    await this.create(this.chunks, this.chunkIndex());
    const made = await this.readId();
    if (made === undefined) throw engineUnavailable();
    return made;
  }

  /** Creates the index of records if it is missing, even if an index of chunks exists. */
  async ensureRecords(): Promise<void> {
    await this.ensure();
    const path = `/${this.records}/_mapping`;
    const { status } = await this.server.request({ method: 'GET', path, accept: [404] });
    if (status !== 404) return;
    if (!this.options.isBuild) await this.putTemplate(this.records, this.recordIndex());
    await this.create(this.records, this.recordIndex());
  }

  /** Returns the id of the index of chunks as last read; undefined if there is none. */
  async currentId(): Promise<string | undefined> {
    return this.known ?? this.readId();
  }

  /**
   * Returns the last known id without a request, to distinguish information about one index from
   * that about the next.
   */
  get id(): string | undefined {
    return this.known;
  }

  /** Name of the index of chunks as last read; it disappears when another one replaces it. */
  get concreteChunks(): string {
    return this.name ?? this.chunks;
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
    const [name, found] = (status === 404 ? undefined : Object.entries(body)[0]) ?? [];
    this.name = name;
    this.fields = new Set(Object.keys(found?.mappings.properties ?? {}));
    this.known = found?.settings.index.uuid;
    return this.known;
  }

  /**
   * Adds the fields that rows of a model need to the mapping. An index of an earlier version also
   * lacks the names of members and the trigrams.
   */
  async ensureFields(embedder: {
    readonly id: string;
    readonly dimensions: number;
  }): Promise<void> {
    await this.ensureField(MEMBERS_FIELD, NAMES);
    await this.ensureField(TRIGRAMS_FIELD, TRIGRAMS);
    const field = vectorField(embedder);
    const method = { name: 'hnsw', engine: 'lucene', parameters: { m: 16, ef_construction: 100 } };
    const { dimensions: dimension } = embedder;
    const vector = {
      type: 'knn_vector',
      dimension,
      data_type: 'byte',
      space_type: 'cosinesimil',
      method,
    };
    await this.ensureField(field, vector);
  }

  private async ensureField(field: string, mapping: object): Promise<void> {
    if (this.fields.has(field)) return;
    await this.server.request({
      method: 'PUT',
      path: `/${this.chunks}/_mapping`,
      body: { properties: { [field]: mapping } },
    });
    this.fields.add(field);
  }

  /**
   * Replaces the indices under these names by those of another, complete layout, in one step; the
   * previous ones are removed.
   */
  async giveWayTo(other: IndexLayout): Promise<void> {
    const actions: object[] = [];
    for (const [alias, index] of [
      [this.chunks, other.chunks],
      [this.records, other.records],
    ] as const) {
      for (const before of await this.concrete(alias))
        actions.push({ remove_index: { index: before } });
      actions.push({ add: { index, alias } });
    }
    await this.server.request({
      method: 'POST',
      path: '/_aliases',
      body: { actions },
      timeoutMs: SWITCH_TIMEOUT_MS,
      retries: 0,
    });
    await this.readId();
  }

  /**
   * Removes indices of builds that nobody sees.
   * @param olderThanMs spares those that may still be filled.
   */
  async removeBuilds(olderThanMs: number): Promise<void> {
    interface Found {
      readonly aliases: Readonly<Record<string, unknown>>;
      readonly settings: { readonly index: { readonly creation_date: string } };
    }
    const pattern = buildPrefix(this.options.indexPrefix, '*');
    const { status, body } = await this.server.request<Readonly<Record<string, Found>>>({
      method: 'GET',
      path: `/${pattern}`,
      accept: [404],
    });
    for (const [index, { aliases, settings }] of status === 404 ? [] : Object.entries(body)) {
      const isOld = Date.now() - Number(settings.index.creation_date) >= olderThanMs;
      if (Object.keys(aliases).length > 0 || !isOld) continue;
      await this.server.request({ method: 'DELETE', path: `/${index}`, accept: [404] });
    }
  }

  /** Returns the indices behind a name: itself, or those of an alias. */
  private async concrete(name: string): Promise<readonly string[]> {
    const path = `/${name}`;
    const { status, body } = await this.server.request<object>({
      method: 'GET',
      path,
      accept: [404],
    });
    return status === 404 ? [] : Object.keys(body);
  }

  private async putTemplate(index: string, template: object): Promise<void> {
    await this.server.request({
      method: 'PUT',
      path: `/_index_template/${index}`,
      body: { index_patterns: [index], template },
    });
  }

  private async create(index: string, definition: object): Promise<void> {
    try {
      await this.server.request({ method: 'PUT', path: `/${index}`, body: definition });
    } catch (error) {
      // The second one: it exists as an alias.
      const present = ['resource_already_exists_exception', 'invalid_index_name_exception'];
      if (
        error instanceof RefusedRequestError &&
        present.includes(error.type) &&
        (await this.concrete(index)).length > 0
      )
        return;
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
        // Excluded fields are available from `ranking` and `row_id`, which are read as columns.
        _source: { excludes: ['tokens', TRIGRAMS_FIELD, 'embedding_*', 'ranking', 'row_id'] },
        _routing: { required: true },
        properties: {
          tenant_id: keyword,
          source_id: keyword,
          chunk_id: keyword,
          path: keyword,
          language: keyword,
          file_key: keyword,
          defs: NAMES,
          [MEMBERS_FIELD]: NAMES,
          ordinal: integer,
          from_generation: integer,
          to_generation: integer,
          tokens: {
            type: 'text',
            analyzer: 'whitespace',
            index_options: 'freqs',
            similarity: 'term_share',
          },
          [TRIGRAMS_FIELD]: TRIGRAMS,
          ranking: { type: 'binary', doc_values: true },
          // The id again: as a column it is read without the row.
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

/** Returns the prefix of the index names of a build. */
export function buildPrefix(indexPrefix: string, id: string): string {
  return `${indexPrefix}-build-${id}`;
}

/** Returns the field of a model's vectors; no two models share one. */
export function vectorField({
  id,
  dimensions,
}: {
  readonly id: string;
  readonly dimensions: number;
}): string {
  return `embedding_${createHash('sha256').update(id).digest('hex').slice(0, 12)}_${dimensions}`;
}
