import { LRUCache } from 'lru-cache';

import { compileChunkFilter, type ChunkFilter } from '../../chunk-filter.js';
import type { LiveSource } from '../../search-index.port.js';
import { fileKey } from '../chunk-row.js';
import type { IndexLayout } from '../index-layout.js';
import { anyOf, rowFilter } from '../row-filter.js';
import type { SearchServer, SearchStatus } from '../server.js';
import type { GenerationEntry } from '../source-records.js';

interface SourceFile {
  readonly path: string;
  readonly language: string;
}

interface FilesPage extends SearchStatus {
  readonly aggregations?: {
    readonly files: { readonly after_key?: SourceFile; readonly buckets: readonly { readonly key: SourceFile }[] };
  };
}

/** Files that are kept in memory over all generations. */
const MAX_FILES = 500_000;
const PAGE = 5_000;

/**
 * Turns a filter, whose globs the server does not know, into one that it applies before it cuts: each file (path and
 * language) of the scope is decided here, and the server is told the files. Which files a generation has never changes;
 * they are read once and kept.
 */
export class AcceptedFiles {
  private readonly kept = new LRUCache<string, readonly SourceFile[]>({
    maxSize: MAX_FILES,
    sizeCalculation: (files) => files.length + 1,
  });

  constructor(
    private readonly server: SearchServer,
    private readonly layout: IndexLayout,
  ) {}

  /** @returns a clause that leaves what is accepted; null when everything is, `'nothing'` when nothing is. */
  async filter(
    scope: readonly LiveSource[],
    entries: readonly GenerationEntry[],
    filter: ChunkFilter,
  ): Promise<object | null | 'nothing'> {
    const accept = compileChunkFilter(filter);
    const accepted = new Set<string>();
    const rejected = new Set<string>();
    for (const [at, source] of scope.entries()) {
      for (const file of await this.filesOf(source, entries[at] as GenerationEntry)) {
        (accept(file) ? accepted : rejected).add(fileKey(file.path, file.language));
      }
    }
    if (accepted.size === 0) return 'nothing';
    if (rejected.size === 0) return null;
    if (accepted.size <= rejected.size) return anyOf('file_key', [...accepted]);
    return { bool: { must_not: [anyOf('file_key', [...rejected])] } };
  }

  private async filesOf(source: LiveSource, entry: GenerationEntry): Promise<readonly SourceFile[]> {
    const key = `${this.layout.id}/${source.tenantId}/${source.sourceId}/${source.generation}/${entry.fingerprint}`;
    const known = this.kept.get(key);
    if (known) return known;
    const files = await this.read(source);
    this.kept.set(key, files);
    return files;
  }

  private async read(source: LiveSource): Promise<readonly SourceFile[]> {
    const { routing, clause } = rowFilter(source);
    const sources = [{ path: { terms: { field: 'path' } } }, { language: { terms: { field: 'language' } } }];
    const files: SourceFile[] = [];
    for (let after: SourceFile | undefined; ;) {
      const composite = { size: PAGE, sources, ...(after && { after }) };
      const query = { bool: { filter: [clause] } };
      const body = { size: 0, track_total_hits: false, query, aggs: { files: { composite } } };
      const [page] = await this.server.searches<FilesPage>(this.layout.chunks, [{ routing, body }]);
      const { buckets = [], after_key } = page?.aggregations?.files ?? {};
      for (const { key } of buckets) files.push(key);
      after = after_key;
      if (buckets.length < PAGE || !after) return files;
    }
  }
}
