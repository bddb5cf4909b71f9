import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { GitAccess } from './git-access.js';

/**
 * Parameters of the fetch that filled a cached repository. Other values mean other content, so the
 * repository is fetched again.
 */
interface CacheMark {
  readonly format: 1;
  readonly href: string;
  readonly maxFileBytes: number;
}

/** Only reference of a cached repository: the object fetched last. */
export const FETCHED_REF = 'refs/footnote/fetched';

const MARK = 'footnote.json';

/**
 * Bare repository cached between syncs of a source. It is scratch data: if it is damaged in any
 * way, it is deleted and fetched again.
 */
export class GitCache {
  constructor(
    readonly directory: string,
    private readonly access: GitAccess,
    private readonly maxFileBytes: number,
  ) {}

  /**
   * Returns true if the folder contains a complete repository, fetched with the same parameters.
   */
  async isUsable(): Promise<boolean> {
    try {
      const mark = JSON.parse(await readFile(join(this.directory, MARK), 'utf8')) as CacheMark;
      return (
        mark.format === 1 &&
        mark.href === this.access.href &&
        mark.maxFileBytes === this.maxFileBytes
      );
    } catch {
      return false;
    }
  }

  /**
   * Returns the commit or annotated tag fetched last, or null. Reads the reference's file without a
   * git process, because nothing ever packs the references of this repository. Only git can
   * determine whether the objects exist.
   */
  async fetched(): Promise<string | null> {
    const text = await readFile(join(this.directory, FETCHED_REF), 'utf8').catch(() => '');
    return /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(text)?.[1] ?? null;
  }

  /**
   * Creates an empty bare repository without git, so that no template, hook or machine setting
   * applies. It lacks its configuration until the first fetch.
   */
  async create(): Promise<void> {
    await this.remove();
    await mkdir(join(this.directory, 'objects', 'pack'), { recursive: true });
    await mkdir(join(this.directory, 'refs', 'heads'), { recursive: true });
    await writeFile(join(this.directory, 'HEAD'), 'ref: refs/heads/none\n');
  }

  /** Marks this repository as complete for later syncs. */
  async seal(): Promise<void> {
    const mark: CacheMark = { format: 1, href: this.access.href, maxFileBytes: this.maxFileBytes };
    await writeFile(join(this.directory, MARK), JSON.stringify(mark));
  }

  async unseal(): Promise<void> {
    await rm(join(this.directory, MARK), { force: true });
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  /**
   * Writes the configuration. A partial clone has its remote configured only during a fetch. With a
   * remote, reading an omitted blob would start a fetch of its own, without any of our settings.
   */
  async writeConfig(fetching: boolean): Promise<void> {
    const core =
      '[core]\n\trepositoryformatversion = 1\n\tbare = true\n\tlogallrefupdates = false\n';
    const partial = fetching && this.isPartial;
    const extensions = partial ? '[extensions]\n\tpartialClone = origin\n' : '';
    const remote = `[remote "origin"]\n\turl = "${this.access.href.replace(/["\\]/g, '\\$&')}"\n`;
    const promise = `\tpromisor = true\n\tpartialCloneFilter = ${this.filter}\n`;
    const text = fetching ? `${core}${extensions}${remote}${partial ? promise : ''}` : core;
    await writeFile(join(this.directory, 'config'), text);
  }

  /**
   * True if the server should omit large blobs. A local server need not: no data travels, and the
   * size identifies files that are too large.
   */
  get isPartial(): boolean {
    return this.access.transport !== 'file';
  }

  get filter(): string {
    return `blob:limit=${this.maxFileBytes + 1}`;
  }

  /** Returns the bytes on disk below the folder. */
  async size(): Promise<number> {
    let total = 0;
    for (const entry of await readdir(this.directory, {
      recursive: true,
      withFileTypes: true,
    }).catch(() => [])) {
      if (!entry.isFile()) continue;
      const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
      total += found?.size ?? 0;
    }
    return total;
  }
}
