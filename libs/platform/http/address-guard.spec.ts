import { describe, expect, it } from '@jest/globals';

import { AddressGuard, OutboundRefusedError } from './address-guard.js';

const closed = new AddressGuard({
  allowPrivateNetworks: false,
  resolve: async () => ['127.0.0.1'],
});
const open = new AddressGuard({ allowPrivateNetworks: true, resolve: async () => ['127.0.0.1'] });

/** Notations of addresses outside the public internet. */
const INNER = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://①②⑦.⓪.⓪.①/',
  'http://localhost/',
  'http://localhost./',
  'http://name-of-an-inner-host.example/',
  'http://0.0.0.0/',
  'http://0/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[4000::1]/',
  'http://[fe80::1]/',
  'http://[fd12:3456::1]/',
  'http://[ff02::1]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
  'http://[fd00:ec2::254]/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
];

describe('the address guard', () => {
  it.each(INNER)('rejects %s', async (url) => {
    await expect(closed.addressOf(new URL(url).hostname)).rejects.toThrow(OutboundRefusedError);
  });

  it.each(['1.1.1.1', '140.82.121.4', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
    'allows %s',
    (address) => {
      expect(closed.allows(address)).toBe(true);
    },
  );

  it('allows private networks on request, but never metadata, multicast and similar ranges', () => {
    for (const address of [
      '127.0.0.1',
      '::1',
      '10.0.0.1',
      '192.168.0.1',
      'fd12:3456::1',
      '::ffff:127.0.0.1',
    ]) {
      expect(open.allows(address)).toBe(true);
    }
    for (const address of [
      '169.254.169.254',
      '168.63.129.16',
      'fd00:ec2::254',
      '0.0.0.0',
      '::',
      '224.0.0.1',
      'fe80::1%eth0',
    ]) {
      expect(open.allows(address)).toBe(false);
    }
  });

  it('rejects a name if any of its addresses is internal', async () => {
    const mixed = new AddressGuard({
      allowPrivateNetworks: false,
      resolve: async () => ['1.1.1.1', '10.0.0.1'],
    });
    await expect(mixed.addressOf('example.org')).rejects.toThrow(
      'The host example.org is on a private or reserved network; ALLOW_PRIVATE_NETWORKS allows private and loopback ones',
    );
    const none = new AddressGuard({ allowPrivateNetworks: false, resolve: async () => [] });
    await expect(none.addressOf('example.org')).rejects.toThrow(OutboundRefusedError);
  });

  it('returns the checked address, and resolves once', async () => {
    let asked = 0;
    const guard = new AddressGuard({
      allowPrivateNetworks: false,
      resolve: async () => {
        asked += 1;
        return ['1.1.1.1', '1.0.0.1'];
      },
    });
    expect(await guard.addressOf('example.org')).toBe('1.1.1.1');
    expect(asked).toBe(1);
    expect(await guard.addressOf('[2606:4700:4700::1111]')).toBe('2606:4700:4700::1111');
    expect(asked).toBe(1);
  });
});
