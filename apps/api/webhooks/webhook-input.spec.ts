import { describe, expect, it } from '@jest/globals';

import { webhookUrl } from './webhook-input.js';

describe('the address of a webhook endpoint', () => {
  const PUBLIC = { allowPrivateNetworks: false };
  const HOST = 'https://example.com/';

  it('may have 2,048 characters in its normal form, and no more', () => {
    const ofLength = (length: number) => HOST + 'x'.repeat(length - HOST.length);
    expect(webhookUrl(ofLength(2_048), PUBLIC)).toHaveLength(2_048);
    expect(() => webhookUrl(ofLength(2_049), PUBLIC)).toThrow('at most 2,048 characters');
    // Nine characters each when encoded.
    const encoded = (count: number) => HOST + '数'.repeat(count);
    expect(webhookUrl(encoded(225), PUBLIC)).toHaveLength(2_045);
    expect(() => webhookUrl(encoded(226), PUBLIC)).toThrow('(got 2054)');
  });
});
