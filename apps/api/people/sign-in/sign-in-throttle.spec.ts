import { beforeEach, describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';

import { clientNetwork } from './client-network.js';
import { SignInThrottle } from './sign-in-throttle.js';

describe('the throttle of sign-ins', () => {
  let now = 0;
  let throttle: SignInThrottle;
  beforeEach(() => {
    now = 1_000;
    throttle = new SignInThrottle({ monotonic: () => now });
  });

  /** Fails once. @returns seconds to wait, or 0 when it was let through. */
  const fail = (account: string, client: string): number => {
    try {
      throttle.attempt(account, client);
      return 0;
    } catch (error) {
      if (isFootnoteError(error, 'rate_limited')) return error.retryAfter ?? Number.NaN;
      throw error;
    }
  };
  const succeed = (account: string, client: string) =>
    throttle.attempt(account, client).succeeded();

  it('lets five fail in a row, then one every half a minute, and nobody waits longer', () => {
    const waits = Array.from({ length: 20 }, () => fail('a', 'home'));
    expect(waits).toEqual([0, 0, 0, 0, 0, ...Array<number>(15).fill(30)]);
    now += 29_000;
    expect(fail('a', 'home')).toBe(1);
    now += 1_000;
    expect([fail('a', 'home'), fail('a', 'home')]).toEqual([0, 30]);
  });

  it('counts nothing that succeeds', () => {
    for (let sign = 0; sign < 500; sign += 1) succeed('a', 'home');
    expect(fail('a', 'home')).toBe(0);
  });

  it('counts attempts that run at once before any of them has failed', () => {
    const attempts = Array.from({ length: 5 }, () => throttle.attempt('a', 'home'));
    expect(fail('a', 'home')).toBe(30);
    for (const attempt of attempts) attempt.succeeded();
    expect(fail('a', 'home')).toBe(0);
  });

  it('counts one network over all accounts', () => {
    const waits = Array.from({ length: 31 }, (_, at) => fail(`account ${at}`, 'home'));
    expect(waits.filter((wait) => wait > 0)).toEqual([10]);
    expect(fail('another', 'elsewhere')).toBe(0);
  });

  it('counts one account over all networks, but for those that were signed in to it before', () => {
    succeed('a', 'home');
    const strangers = Array.from({ length: 60 }, (_, at) => fail('a', `stranger ${at}`));
    expect(strangers.filter((wait) => wait > 0)).toEqual(Array<number>(10).fill(20));
    expect(fail('a', 'home')).toBe(0);
    expect(fail('b', 'stranger 1')).toBe(0);
  });
});

describe('a client network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (ip, network) => {
    expect(clientNetwork(ip)).toBe(network);
  });
});
