import { join } from 'node:path';

/** Folders of the embedded engines' files below DATA_DIR. */
export interface DataFolders {
  /** The event log: cannot be rebuilt. */
  readonly log: string;
  /** Blobs: cannot be rebuilt. */
  readonly blobs: string;
  /** Key ring: cannot be rebuilt; its backup is separate from that of the log. */
  readonly keys: string;
  /** Queue: disposable. */
  readonly queue: string;
  /** Read models: disposable. */
  readonly readModels: string;
  /** Search index: disposable. */
  readonly index: string;
  /** Bare clones kept between syncs: disposable. */
  readonly git: string;
  /** Snapshot of what the pipeline folded: disposable. */
  readonly reactor: string;
  /** Installed models: can be installed again. */
  readonly models: string;
  /** Vectors of sentences: disposable, but slow to compute. */
  readonly sentences: string;
}

export function dataFolders(dataDir: string): DataFolders {
  return {
    log: join(dataDir, 'log'),
    blobs: join(dataDir, 'blobs'),
    keys: join(dataDir, 'keys'),
    queue: join(dataDir, 'queue'),
    readModels: join(dataDir, 'read-models'),
    index: join(dataDir, 'index'),
    git: join(dataDir, 'git'),
    reactor: join(dataDir, 'reactor'),
    models: join(dataDir, 'models'),
    sentences: join(dataDir, 'sentences'),
  };
}
