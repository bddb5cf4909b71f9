import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { GitAccess } from './git-access.js';

/**
 * What a kept repository was fetched with; another value means another content, so it is fetched
 * anew.
 */
interface CacheMark {
  readonly format: 1;
  readonly href: string;
  readonly maxFileBytes: number;
}

/** The one reference of a kept repository: what was fetched last. */
export const FETCHED_REF = 'refs/footnote/fetched';

const MARK = 'footnote.json';

/**
 * The bare repository that is kept between syncs of a source. It is scratch: whatever is odd about
 * it, it is deleted and fetched again.
 */
export class GitCache {
  constructor(
    readonly directory: string,
    private readonly access: GitAccess,
    private readonly maxFileBytes: number,
  ) {}

  /** True when the folder holds a repository that was completely fetched under the same terms. */
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
   * The commit, or the tag with a message of its own, that was fetched last, or null. Read from the
   * reference's file, without a git process: nothing ever packs the references of this repository.
   * Whether its objects are there, only git can tell.
   */
  async fetched(): Promise<string | null> {
    const text = await readFile(join(this.directory, FETCHED_REF), 'utf8').catch(() => '');
    return /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(text)?.[1] ?? null;
  }

  /**
   * An empty bare repository, made by hand: no template, no hook, no setting of the machine gets
   * in.
   */
  async create(): Promise<void> {
    await this.remove();
    await mkdir(join(this.directory, 'objects', 'pack'), { recursive: true });
    await mkdir(join(this.directory, 'refs', 'heads'), { recursive: true });
    await writeFile(join(this.directory, 'HEAD'), 'ref: refs/heads/none\n');
    await this.writeConfig(false);
  }

  /** Tells later syncs that this repository is whole. */
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
   * A partial clone knows its remote only while it fetches: with a remote configured, reading a
   * blob that was left out would start a fetch of its own, without any of our settings.
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
   * A local server is not asked to leave blobs out: nothing travels, and what is too large is told
   * by its size.
   */
  get isPartial(): boolean {
    return this.access.transport !== 'file';
  }

  get filter(): string {
    return `blob:limit=${this.maxFileBytes + 1}`;
  }

  /** Bytes on disk below the folder. */
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
