import { isIPv6 } from 'node:net';

import { beforeFirst } from '#contracts/content/before-first';

/**
 * Returns the subject that attempts from an address count for. For IPv6 it is the network of 64
 * bits: one customer has all of its addresses.
 * @param ip as Fastify gives it
 */
export function clientNetwork(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail = ''] = beforeFirst(ip, '%').toLowerCase().split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const gap = ip.includes('::')
    ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
    : [];
  const groups = [...left, ...gap, ...right].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
