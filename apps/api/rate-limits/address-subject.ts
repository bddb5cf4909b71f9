import ipaddr from 'ipaddr.js';

/** Groups of 16 bits of an IPv6 address that one subscriber has, as a rule: a /64. */
const NETWORK_GROUPS = 4;

/**
 * Whom the requests of an address are counted as: of IPv6 the network, since one machine has as
 * many addresses as it likes.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
