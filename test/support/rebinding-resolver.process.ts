/**
 * Loaded into a process before anything else (`--import`). Names below `rebind.test` resolve to the
 * addresses in their labels, one after the other, and to the last one from then on.
 * `127-0-0-1.169-254-169-254.a.rebind.test` is the loopback at the first request and the address of
 * a cloud's metadata afterwards. The name of an attacker's domain can do the same.
 */
import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const asked = new Map<string, number>();
const system = dns.promises.lookup;

function rebound(name: string): readonly LookupAddress[] | undefined {
  if (!name.endsWith('.rebind.test')) return undefined;
  const addresses = name.split('.').filter((label) => /^\d+(?:-\d+){3}$/.test(label));
  const turn = asked.get(name) ?? 0;
  asked.set(name, turn + 1);
  const label = addresses[Math.min(turn, addresses.length - 1)];
  return label === undefined ? [] : [{ address: label.replaceAll('-', '.'), family: 4 }];
}

Object.assign(dns.promises, {
  lookup: async (name: string, options: dns.LookupAllOptions) =>
    rebound(name) ?? system(name, options),
});
syncBuiltinESMExports();
