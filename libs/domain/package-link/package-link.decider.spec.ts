import { describe, it } from '@jest/globals';

import type { PackageLinkEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { packageLinkDecider } from './package-link.decider.js';

const data = {
  link_id: 'l1',
  package_id: 'p1',
  owner_tenant_id: 'public',
  ecosystem: 'npm',
  name: 'react',
  version: '19.0.0',
};
const linked = (episode: number): PackageLinkEvent => ({
  type: 'PackageLinked',
  data: { ...data, episode },
});
const unlinked: PackageLinkEvent = {
  type: 'PackageUnlinked',
  data: { link_id: 'l1', package_id: 'p1', episode: 1 },
};
const { given } = specify(packageLinkDecider);

describe('a link to a package', () => {
  it('is created once, however often it is requested', () => {
    given().when({ type: 'LinkPackage', data }).then(linked(1));
    given(linked(1)).when({ type: 'LinkPackage', data }).thenNothingHappened();
  });

  it('is removed once, and can be created again', () => {
    given(linked(1)).when({ type: 'UnlinkPackage', data: {} }).then(unlinked);
    given(linked(1), unlinked)
      .when({ type: 'UnlinkPackage', data: {} })
      .thenRefused('package_link_not_found');
    given(linked(1), unlinked).when({ type: 'LinkPackage', data }).then(linked(2));
    given().when({ type: 'UnlinkPackage', data: {} }).thenRefused('package_link_not_found');
  });
});
