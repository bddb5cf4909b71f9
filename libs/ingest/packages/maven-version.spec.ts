import { describe, expect, it } from '@jest/globals';

import { compareMavenVersions, isMavenPreRelease } from './maven-version.js';

describe('versions of Maven', () => {
  it('have their order', () => {
    const ordered =
      `1.0-alpha-1 1.0-beta2 1.0-M1 1.0-rc1 1.0-SNAPSHOT 1.0 1.0-jre 1.0-sp1 1.0.1 1.9 1.10 2.0-M1 2.0 33.5.0-android 33.5.0-jre`.split(
        ' ',
      );
    expect(ordered.toReversed().sort(compareMavenVersions)).toEqual(ordered);
  });

  it.each([
    ['1.0', '1.0.0'],
    ['1.0', '1.0.0.Final'],
    ['1.0-rc1', '1.0-CR1'],
    ['1-a1', '1-alpha-1'],
  ])('%s is %s', (a, b) => {
    expect(compareMavenVersions(a, b)).toBe(0);
  });

  it('say that they come before a release', () => {
    const versions = [
      '1.0-rc1',
      '5.0.0.Beta1',
      '3.0.0-M5',
      '1.0b2',
      '22-ea',
      '33.5.0-jre',
      '1.0.0.RELEASE',
      '4.1.0.Final',
      '2.0-android',
    ];
    expect(versions.filter(isMavenPreRelease)).toEqual([
      '1.0-rc1',
      '5.0.0.Beta1',
      '3.0.0-M5',
      '1.0b2',
      '22-ea',
    ]);
  });
});
