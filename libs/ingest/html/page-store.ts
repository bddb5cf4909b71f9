import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceScratchFile } from '#platform';

/** A page as the server sent it. */
export interface StoredPage {
  readonly bytes: Uint8Array;
  readonly charset?: string;
}

interface StoredLinks {
  readonly url: string;
  readonly links: readonly string[];
}

const LINE = 0x0a;
const LINKS = '.links';

/**
 * Pages in a scratch folder, by a hash of their content. A missing or damaged page counts as never
 * stored.
 */
export class PageStore {
  constructor(private readonly directory: string) {}

  /** Returns the hash that identifies a page by its bytes and encoding. */
  static versionOf({ bytes, charset = '' }: StoredPage): string {
    return createHash('sha256').update(`${charset.toLowerCase()}\n`).update(bytes).digest('hex');
  }

  async put(page: StoredPage): Promise<string> {
    const version = PageStore.versionOf(page);
    await mkdir(this.directory, { recursive: true });
    const stored = Buffer.concat([Buffer.from(`${page.charset ?? ''}\n`), page.bytes]);
    await replaceScratchFile(join(this.directory, version), stored);
    return version;
  }

  async get(version: string): Promise<StoredPage | undefined> {
    if (!/^[0-9a-f]{64}$/.test(version)) return undefined;
    const stored = await readFile(join(this.directory, version)).catch(() => undefined);
    const end = stored?.indexOf(LINE) ?? -1;
    if (stored === undefined || end === -1) return undefined;
    const charset = stored.toString('utf8', 0, end);
    const page = { bytes: stored.subarray(end + 1), ...(charset !== '' && { charset }) };
    return PageStore.versionOf(page) === version ? page : undefined;
  }

  /**
   * Stores the links of a page, so that it need not be read again for them. @param url address that
   * the links were read for.
   */
  async putLinks(version: string, url: string, links: readonly string[]): Promise<void> {
    const stored = JSON.stringify({ url, links } satisfies StoredLinks);
    await replaceScratchFile(join(this.directory, `${version}${LINKS}`), stored);
  }

  /** Returns the stored links; undefined if there are none or they were read for another URL. */
  async getLinks(version: string, url: string): Promise<readonly string[] | undefined> {
    if (!/^[0-9a-f]{64}$/.test(version)) return undefined;
    const stored = await readFile(join(this.directory, `${version}${LINKS}`), 'utf8').catch(
      () => undefined,
    );
    if (stored === undefined) return undefined;
    try {
      const { url: from, links } = JSON.parse(stored) as StoredLinks;
      return from === url ? links : undefined;
    } catch {
      return undefined;
    }
  }

  /** Deletes all other pages. */
  async keep(versions: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      if (!versions.has(name.replace(LINKS, '')))
        await rm(join(this.directory, name), { force: true });
    }
  }
}
