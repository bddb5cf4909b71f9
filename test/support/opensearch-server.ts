import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

import { type BoundToLog, silentLogger } from '#platform';
import type { OpenSearchIndexOptions, SearchIndex } from '#search-index';
import { LAYOUT_VERSION } from '#search-index/opensearch/index-layout';
import { openOpenSearchIndex } from '#search-index/opensearch/opensearch-index';

import { PROJECT_ROOT } from './project-root.js';

interface IndexDefinition {
  readonly mappings: { readonly properties: Readonly<Record<string, unknown>> };
  readonly settings: { readonly index: Readonly<Record<string, unknown>> };
}

/** Indices of one test in a real OpenSearch, apart from all others there. */
export class OpenSearchIndices {
  readonly prefix = `test-${randomUUID()}`;
  /** Name of the index of rows. */
  readonly chunks = `${this.prefix}-chunks-v${LAYOUT_VERSION}`;
  private readonly generations = `${this.prefix}-generations-v${LAYOUT_VERSION}`;
  private readonly opened: SearchIndex[] = [];

  constructor(private readonly url: string) {}

  /** Opens the indices as one more process would. */
  async open(options: Partial<OpenSearchIndexOptions> = {}): Promise<SearchIndex & BoundToLog> {
    const index = await openOpenSearchIndex({
      url: this.url,
      logger: silentLogger,
      indexPrefix: this.prefix,
      ...options,
    });
    this.opened.push(index);
    return index;
  }

  /** Puts a setting on the index of chunks; null takes it off. */
  async set(setting: string, value: unknown): Promise<void> {
    const body = JSON.stringify({ [setting]: value });
    await this.ask('PUT', `${this.chunks}/_settings`, body);
  }

  /** Rows there are, visible or not. */
  async rows(): Promise<number> {
    await this.ask('POST', `${this.chunks}/_refresh`);
    return ((await this.ask('GET', `${this.chunks}/_count`)) as { count: number }).count;
  }

  async records(): Promise<number> {
    await this.ask('POST', `${this.generations}/_refresh`);
    return ((await this.ask('GET', `${this.generations}/_count`)) as { count: number }).count;
  }

  /** Loses rows as a damaged disk would: only the count of visible rows shows it. */
  async loseRows(path: string): Promise<void> {
    await this.ask('POST', `${this.chunks}/_refresh`);
    const body = JSON.stringify({ query: { term: { path } } });
    await this.ask('POST', `${this.chunks}/_delete_by_query?refresh=true`, body);
  }

  /** Writes rows of a path again from their sources: they lose the fields that are not in these. */
  async loseExcludedFields(path: string): Promise<void> {
    await this.ask('POST', `${this.chunks}/_refresh`);
    const body = JSON.stringify({ query: { term: { path } } });
    await this.ask('POST', `${this.chunks}/_update_by_query?refresh=true`, body);
  }

  /** Fields of the rows. */
  async fields(): Promise<readonly string[]> {
    return Object.keys((await this.definition()).mappings.properties);
  }

  /** Replaces the index of rows by an empty one without a field, as an earlier version made it. */
  async replaceWithoutField(field: string): Promise<void> {
    const { mappings, settings } = await this.definition();
    const properties = without(mappings.properties, [field]);
    const index = without(settings.index, OF_ONE_INDEX);
    // A template would add the field again.
    await this.ask('DELETE', `_index_template/${this.chunks}`);
    await this.ask('DELETE', this.chunks);
    const body = { mappings: { ...mappings, properties }, settings: { index } };
    await this.ask('PUT', this.chunks, JSON.stringify(body));
  }

  /** The indices themselves, whatever they are called by. */
  async names(): Promise<readonly string[]> {
    return Object.keys((await this.ask('GET', `${this.prefix}-*`)) as object).sort();
  }

  async loseChunks(): Promise<void> {
    await this.ask('DELETE', `${this.chunks}`);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.opened.map((index) => index.close()));
    for (const name of await this.names())
      await this.ask('DELETE', `${name}?ignore_unavailable=true`);
    for (const name of [this.chunks, this.generations])
      await this.ask('DELETE', `_index_template/${name}`);
  }

  private async definition(): Promise<IndexDefinition> {
    const found = await this.ask('GET', this.chunks);
    return Object.values(found as Record<string, IndexDefinition>)[0] as IndexDefinition;
  }

  private async ask(method: string, path: string, body?: string): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.url}/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return response.json();
  }
}

/** Settings that the server chooses for each index. */
const OF_ONE_INDEX = ['creation_date', 'uuid', 'version', 'provided_name'];

function without(fields: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Runs a verb of `test/engines/opensearch.sh` on an instance. */
export async function controlOpenSearch(
  verb: 'start' | 'kill',
  directory: string,
  url: string,
): Promise<void> {
  const args = [verb, '--dir', directory, '--port', new URL(url).port];
  await promisify(execFile)(`${PROJECT_ROOT}/test/engines/opensearch.sh`, args, {
    timeout: 180_000,
  });
}
