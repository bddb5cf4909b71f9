import { silentLogger } from '#platform';
import { openPostgresLeases } from '#platform/lease/postgres/postgres-leases';

/**
 * A process that takes one lease and keeps it: `lease-holder.process.js URL NAME`. It prints `held`
 * when it has it.
 */
const [url = '', name = ''] = process.argv.slice(2);
const leases = await openPostgresLeases({ url, logger: silentLogger });
await leases.hold(
  name,
  async (signal) => {
    console.log('held');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    console.log('lost');
  },
  { signal: new AbortController().signal },
);
