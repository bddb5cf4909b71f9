import { createHash } from 'node:crypto';

import { StageFailure } from '#contracts';
import {
  type Fetcher,
  type FetchRequest,
  type KnownDocument,
  selectFiles,
  type SourceDocument,
  type SourceSnapshot,
} from '#ingest';

/**
 * A source in memory, whose documents are pages and whose version shows in them alone, as that of a
 * web site does.
 */
export class MemoryFetcher implements Fetcher {
  /** By path. Null: the source is not there. */
  pages: ReadonlyMap<string, string> | null = new Map();
  /** Pages that were sent because no validator matched, and those that were read, in order. */
  readonly sent: string[] = [];
  readonly read: string[] = [];

  change(pages: Readonly<Record<string, string | null>>): void {
    const changed = new Map(this.pages);
    for (const [path, text] of Object.entries(pages)) {
      if (text === null) changed.delete(path);
      else changed.set(path, text);
    }
    this.pages = changed;
  }

  async resolve(request: FetchRequest) {
    request.signal.throwIfAborted();
    return { ref: null, open: (known: readonly KnownDocument[]) => this.open(request, known) };
  }

  private async open(
    { definition, limits, signal }: FetchRequest,
    known: readonly KnownDocument[],
  ): Promise<SourceSnapshot> {
    signal.throwIfAborted();
    const { url, include_patterns: include, exclude_patterns: exclude } = definition;
    if (this.pages === null || url.endsWith('/gone'))
      throw new StageFailure(`${url} does not exist`, false, { url });
    if (this.pages.size > limits.maxSourceFiles) {
      throw new StageFailure(
        `${url} has more pages than MAX_SOURCE_FILES (${limits.maxSourceFiles}) allows`,
        false,
        {
          url,
        },
      );
    }
    const held = this.pages;
    const before = new Map(known.map((document) => [document.path, document]));
    const pages = [...held]
      .map(([path, text]) => ({ path, text, size: Buffer.byteLength(text) }))
      .sort(byPath);
    const { selected, skipped } = await selectFiles(pages, {
      include,
      exclude,
      maxFileBytes: limits.maxFileBytes,
    });
    const documents = selected.map(({ file: { path, text, size }, named }): SourceDocument => {
      const etag = `"${hashOf(text).slice(0, 8)}"`;
      const kept = before.get(path);
      if (kept?.etag !== etag) this.sent.push(path);
      const version = kept?.etag === etag ? kept.version : hashOf(text);
      return { path, kind: 'page', version, etag, size, ...(named && { named }) };
    });
    return this.snapshot(documents, skipped, new Map(held), signal);
  }

  private snapshot(
    documents: readonly SourceDocument[],
    skipped: Readonly<Record<string, number>>,
    pages: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): SourceSnapshot {
    const { read } = this;
    let open = true;
    return {
      ref: hashOf(JSON.stringify(documents.map(({ path, version }) => [path, version]))),
      documents,
      skipped,
      async *read(asked) {
        for (const { path, kind, named } of asked) {
          signal.throwIfAborted();
          if (!open) throw new Error('The snapshot was closed');
          read.push(path);
          yield { path, kind, bytes: Buffer.from(pages.get(path) ?? ''), ...(named && { named }) };
        }
      },
      async close() {
        open = false;
      },
    };
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
