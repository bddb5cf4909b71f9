import { describe, expect, it } from '@jest/globals';

import type { PackageEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { nextEpisode, packageDecider, type UsePackage } from './package.decider.js';

const release = { ecosystem: 'npm', name: 'react', version: '19.0.0' };
const about = { description: 'A library', homepage: null, license: 'MIT', notices: [] };
const { given } = specify(packageDecider);
const use = (data: Partial<UsePackage['data']> = {}): UsePackage => ({
  type: 'UsePackage',
  data: {
    package_id: 'p1',
    release,
    about,
    source_id: 's1',
    used_at: '2026-01-02T03:30:00.000Z',
    always: false,
    ...data,
  },
});
const registered: PackageEvent = {
  type: 'PackageRegistered',
  data: { package_id: 'p1', source_id: 's1', ...release, ...about },
};
const used = (used_at: string): PackageEvent => ({
  type: 'PackageUsed',
  data: { package_id: 'p1', used_at },
});
const dropped: PackageEvent = {
  type: 'PackageDropped',
  data: { package_id: 'p1', source_id: 's1', reason: 'room' },
};
const restored: PackageEvent = {
  type: 'PackageRestored',
  data: { package_id: 'p1', source_id: 's2' },
};

describe('a package', () => {
  it('is registered by its first use, with the metadata of its registry', () => {
    given().when(use()).then(registered);
  });

  it('records its uses once an hour, and each use by a link', () => {
    given(registered).when(use()).then(used('2026-01-02T03:30:00.000Z'));
    const noted = [registered, used('2026-01-02T03:00:01.000Z')];
    given(...noted)
      .when(use())
      .thenNothingHappened();
    given(...noted)
      .when(use({ always: true }))
      .then(used('2026-01-02T03:30:00.000Z'));
    given(...noted)
      .when(use({ used_at: '2026-01-02T04:00:00.000Z' }))
      .then(used('2026-01-02T04:00:00.000Z'));
  });

  it('records changed metadata of its registry, and keeps it if the registry was not queried', () => {
    const noted = [registered, used('2026-01-02T03:00:01.000Z')];
    const changed = { ...about, notices: ['Deprecated'] };
    given(...noted)
      .when(use({ about: changed }))
      .then({ type: 'PackageDescribed', data: { package_id: 'p1', ...changed } });
    given(...noted, { type: 'PackageDescribed', data: { package_id: 'p1', ...changed } })
      .when(use({ about: changed }))
      .thenNothingHappened();
    given(...noted)
      .when(use({ about: null }))
      .thenNothingHappened();
  });

  it('is dropped once, and held again in another source by its next use', () => {
    const drop = { type: 'DropPackage', data: { source_id: 's1', reason: 'room' } } as const;
    given(registered).when(drop).then(dropped);
    given(registered, dropped).when(drop).thenNothingHappened();
    const again = given(registered, dropped);
    expect(nextEpisode(again.thenState())).toBe(2);
    again.when(use({ source_id: 's2' })).then(restored);
    expect(given(registered, dropped, restored).thenState()).toMatchObject({
      source_id: 's2',
      episode: 2,
    });
  });

  it('is not dropped for a source that no longer holds it', () => {
    const late = { type: 'DropPackage', data: { source_id: 's1', reason: 'unused' } } as const;
    given(registered, dropped, restored).when(late).thenNothingHappened();
    given().when(late).thenNothingHappened();
  });
});
