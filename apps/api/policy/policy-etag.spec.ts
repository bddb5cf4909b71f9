import { describe, expect, it } from '@jest/globals';

import { policyEtag, requireMatch } from './policy-etag.js';

const codeOf = (ifMatch: string | undefined): string => {
  try {
    requireMatch(ifMatch, 11n);
    return 'fits';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('If-Match on the policy', () => {
  it.each([undefined, '*', ' * ', '"12"', '"a", "12"', '"12" , W/"12"'])('fits: %s', (ifMatch) => {
    expect(policyEtag(11n)).toBe('"12"');
    expect(codeOf(ifMatch)).toBe('fits');
  });

  it.each([
    '"11"',
    '"13"',
    'W/"12"',
    '""',
    '"12-gzip"',
    '"a,12"',
    '"33a64df5", "x"',
    `"${'9'.repeat(40)}"`,
  ])('names other versions, in whatever form: %s', (ifMatch) => {
    expect(codeOf(ifMatch)).toBe('policy_changed');
  });

  it.each([
    '',
    '12',
    'yesterday',
    '"12',
    '12"',
    '"12" "13"',
    '"12",',
    '*, "12"',
    '"a"b"',
    'w/"12"',
  ])('is no entity tag: %s', (ifMatch) => {
    expect(codeOf(ifMatch)).toBe('validation_failed');
  });
});
