import { describe, expect, it } from '@jest/globals';

import { packageSourceId } from './package-source-id.js';

const react = { ecosystem: 'npm', name: 'react', version: '19.0.0' } as const;

describe('the id of a package source', () => {
  it('follows from the release alone, for everybody, and never changes', () => {
    expect(packageSourceId(react)).toBe(packageSourceId({ ...react }, 'public'));
    expect(packageSourceId(react)).toBe('0f9e13ca-b0ec-59bf-9d89-be67083934c0');
  });

  it('is another for another ecosystem, name, version or owner', () => {
    const others = [
      packageSourceId({ ...react, ecosystem: 'pypi' }),
      packageSourceId({ ...react, name: 'react-dom' }),
      packageSourceId({ ...react, version: '19.0.1' }),
      packageSourceId(react, '00000000-0000-5000-8000-000000000001'),
    ];
    expect(new Set([packageSourceId(react), ...others]).size).toBe(5);
  });
});
