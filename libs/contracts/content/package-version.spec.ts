import { describe, expect, it } from '@jest/globals';

import {
  packageDefinition,
  packageFailure,
  packageOfSource,
  packageProblemOf,
  packageSourceName,
  packageUrl,
  type PackageVersion,
  priorityKind,
  shownDefinition,
  sourceDefinitionSchema,
} from '#contracts';

describe('a release of a package', () => {
  it.each<readonly [PackageVersion, string, string]>([
    [{ ecosystem: 'npm', name: 'react', version: '19.0.0' }, 'pkg:npm/react@19.0.0', 'NPM: react'],
    [
      { ecosystem: 'npm', name: '@nestjs/core', version: '12.5.1' },
      'pkg:npm/%40nestjs/core@12.5.1',
      'NPM: @nestjs/core',
    ],
    [
      { ecosystem: 'pypi', name: 'requests', version: '2.32.5' },
      'pkg:pypi/requests@2.32.5',
      'PyPI: requests',
    ],
    [
      { ecosystem: 'cargo', name: 'serde', version: '1.0.0+a' },
      'pkg:cargo/serde@1.0.0%2Ba',
      'crates.io: serde',
    ],
    [
      { ecosystem: 'maven', name: 'com.a:b', version: '1' },
      'pkg:maven/com.a/b@1',
      'Maven: com.a:b',
    ],
    [
      { ecosystem: 'go', name: 'golang.org/x/mod', version: 'v0.1.0' },
      'pkg:golang/golang.org/x/mod@v0.1.0',
      'Go: golang.org/x/mod',
    ],
  ])('%j has a URL and a name', (release, url, name) => {
    expect([packageUrl(release), packageSourceName(release)]).toEqual([url, name]);
    expect(packageOfSource(name)).toEqual({ ecosystem: release.ecosystem, name: release.name });
    expect(packageOfSource(`My ${name}`)).toBeUndefined();
  });

  it('is defined as a source that counts as a repository and is shown to nobody as one', () => {
    const release = { ecosystem: 'npm', name: 'react', version: '19.0.0' } as const;
    const definition = packageDefinition(release);
    expect(sourceDefinitionSchema.parse(JSON.parse(JSON.stringify(definition)))).toEqual(
      definition,
    );
    expect(definition).toMatchObject({ source_type: 'package', package: release });
    expect(priorityKind(definition.source_type)).toBe('repo');
    expect(() => shownDefinition(definition)).toThrow('pkg:npm/react@19.0.0');
  });

  it('says in a failure, and in what is kept of it, what is wrong', () => {
    const failure = packageFailure('package_too_large', 'too large', false, {
      url: 'pkg:npm/react@19.0.0',
    });
    expect(packageProblemOf(failure)).toBe('package_too_large');
    expect(packageProblemOf(JSON.parse(JSON.stringify(failure.details)))).toBe('package_too_large');
    for (const other of [null, 'x', new Error('x'), { package_problem: 'toString' }]) {
      expect(packageProblemOf(other)).toBeUndefined();
    }
  });
});
