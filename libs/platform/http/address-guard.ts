import { lookup } from 'node:dns/promises';

import ipaddr from 'ipaddr.js';

/**
 * An address or URL must not be contacted. The message names the host as given, never an address
 * that it resolved to.
 */
export class OutboundRefusedError extends Error {
  constructor(
    message: string,
    readonly host: string,
  ) {
    super(message);
    this.name = 'OutboundRefusedError';
  }
}

export interface AddressGuardOptions {
  /** Allows requests to private and loopback networks. Cloud metadata addresses stay forbidden. */
  readonly allowPrivateNetworks: boolean;
  /** Returns all addresses of a name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** Ranges that `allowPrivateNetworks` allows, by ipaddr.js's names. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** Addresses where clouds serve credentials to their machines: never a source. */
const METADATA: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  ipaddr.parseCIDR('169.254.0.0/16'),
  ipaddr.parseCIDR('168.63.129.16/32'),
  ipaddr.parseCIDR('100.100.100.200/32'),
  ipaddr.parseCIDR('fd00:ec2::254/128'),
];

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Decides which addresses the service may contact. All outgoing requests use one of these guards.
 */
export class AddressGuard {
  private readonly resolve: (host: string) => Promise<readonly string[]>;

  constructor(private readonly options: AddressGuardOptions) {
    this.resolve = options.resolve ?? systemAddresses;
  }

  /** Returns true if a literal address may be contacted. */
  allows(address: string): boolean {
    const parsed = parse(address);
    if (parsed === undefined || METADATA.some((range) => within(parsed, range))) return false;
    const range = parsed.range();
    if (range === 'unicast') return parsed.kind() === 'ipv4' || within(parsed, GLOBAL_IPV6);
    return this.options.allowPrivateNetworks && PRIVATE_RANGES.has(range);
  }

  /**
   * Resolves a host once and checks all of its addresses. Callers connect to the returned one, so
   * that the name cannot be rebound in between.
   *
   * @param host a name or literal as in `URL.hostname`.
   * @throws OutboundRefusedError if any address is forbidden; the resolver's error if there is
   * none.
   */
  async addressOf(host: string): Promise<string> {
    const bare = host.replace(/^\[|\]$/g, '');
    const addresses = ipaddr.isValid(bare) ? [bare] : await this.resolve(bare);
    const [first] = addresses;
    if (first === undefined || !addresses.every((address) => this.allows(address))) {
      const allowed = this.options.allowPrivateNetworks
        ? ''
        : '; ALLOW_PRIVATE_NETWORKS allows private and loopback ones';
      throw new OutboundRefusedError(
        `The host ${bare} is on a private or reserved network${allowed}`,
        bare,
      );
    }
    return first;
  }
}

/** IPv4 inside IPv6 is classified as IPv4; a zone (`fe80::1%eth0`) makes an address unusable. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (address.includes('%') || !ipaddr.isValid(address)) return undefined;
  return ipaddr.process(address);
}

function within(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  range: [ipaddr.IPv4 | ipaddr.IPv6, number],
): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map((found) => found.address);
}
