import type { SearchResponse } from '#contracts';
import type {
  PackageLinkList,
  PackageLinkView,
  PackageSearchResponseView,
} from '#contracts/http/index';

import { uniqueWord } from './api/publish.js';
import type { PackagesService } from './packages-service.js';

/** Short ways to publish packages, and to call the routes of packages as one of two tenants. */
export class PackageCalls {
  private serial = 0;

  constructor(private readonly service: PackagesService) {}

  /** Publishes a package with a word that nothing else has. */
  published(release: object = {}, name = `pkg-${(this.serial += 1)}`, version = '1.0.0') {
    const word = uniqueWord();
    const files = {
      'src/effects.ts': `/** Cleans up. */\nexport function ${word}(): void {}\n`,
      'README.md': '# A package\n\nReads and writes.\n',
    };
    this.service.packages.publish('npm', name, version, {
      files,
      description: `About ${name}`,
      ...release,
    });
    return { name, word, version };
  }

  /** Searches in one package. */
  searched(name: string, query: string, options: { tenant?: number; api?: number } = {}) {
    return this.service.search<PackageSearchResponseView>({ package_name: name, query }, options);
  }

  /** Searches in everything that a tenant finds. */
  searchAll(query: string, tenant = 0, more: object = {}) {
    return this.service.call<SearchResponse>('POST', '/search', { query, ...more }, { tenant });
  }

  add(name: string, tenant = 0, version = '1.0.0') {
    const body = { ecosystem: 'npm', name, version };
    return this.service.call<PackageLinkView>('POST', '/packages/add', body, { tenant });
  }

  async links(tenant = 0): Promise<PackageLinkList> {
    const path = '/packages/my-packages';
    return (await this.service.call<PackageLinkList>('GET', path, undefined, { tenant })).body;
  }

  /** Waits until a linked package is indexed. */
  synced(linkId: string, tenant = 0) {
    return this.service.until(
      async () =>
        (await this.links(tenant)).packages.find(
          (link) => link.link_id === linkId && link.status === 'synced',
        ),
      'the package',
    );
  }
}
