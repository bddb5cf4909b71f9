import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { HostedRepository } from '#contracts';
import type { RepositoryHost } from '#ingest/github/repository-host.port';

/** Repositories that every host of this suite has. */
export const HOSTED: readonly HostedRepository[] = [
  { repo: 'pallets/flask', description: 'A web framework' },
  { repo: 'pallets/werkzeug', description: 'A library for the web', isFork: true },
  { repo: 'old/cache', description: null, isArchived: true },
].map((fields) => ({
  stars: 7,
  isArchived: false,
  isFork: false,
  sizeKib: 120,
  defaultBranch: 'main',
  ...fields,
}));

/** A host with the repositories of the suite, and its end. */
export interface OpenedHost {
  readonly host: RepositoryHost;
  close(): Promise<void>;
}

/** Tests that every host of repositories passes. */
export function repositoryHostContract(name: string, open: () => Promise<OpenedHost>): void {
  describe(`repository host: ${name}`, () => {
    let opened: OpenedHost;
    const caller = { tenantId: 'tenant', waitMs: 0 };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    it('finds repositories by words of their names and descriptions', async () => {
      const { repositories, isIncomplete } = await opened.host.search('WEB pallets', caller);
      expect(repositories).toEqual(HOSTED.slice(0, 2));
      expect(isIncomplete).toBe(false);
      expect((await opened.host.search('nothing-of-it', caller)).repositories).toEqual([]);
    });

    it('describes a repository in its own spelling', async () => {
      expect(await opened.host.describe('Pallets/Flask', caller)).toEqual(HOSTED[0]);
      expect(await opened.host.describe('old/cache', caller)).toEqual(HOSTED[2]);
    });

    it('reports an unknown repository', async () => {
      await expect(opened.host.describe('no/body', caller)).rejects.toMatchObject({
        reason: 'repository_not_found',
      });
    });

    it('rejects with the reason of its signal', async () => {
      const signal = AbortSignal.abort(new Error('cancelled'));
      await expect(opened.host.search('cancelled words', { ...caller, signal })).rejects.toThrow(
        'cancelled',
      );
      await expect(opened.host.describe('a/b', { ...caller, signal })).rejects.toThrow('cancelled');
    });
  });
}
