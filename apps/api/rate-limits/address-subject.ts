import ipaddr from 'ipaddr.js';

/** Groups of 16 bits of an IPv6 address that one subscriber has, as a rule: a /64. */
const NETWORK_GROUPS = 4;

/**
 * Returns the subject that requests of an address count for. For IPv6 it is the network, since one
 * machine can use any number of its addresses.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
