import { readFileSync } from 'node:fs';

import { openReadModelDataSource } from '#read-model';
import { silentLogger } from '#platform';

/** Enough for V8 to count PostgreSQL's interpreter of expressions as hot, several times over. */
const STATEMENTS = 300;

/** Runs statements on embedded read models in the folder named, and prints the most memory it had, in KiB. */
const [directory = ''] = process.argv.slice(2);
const dataSource = await openReadModelDataSource({ kind: 'pglite', directory, logger: silentLogger });
for (let index = 0; index < STATEMENTS; index += 1) {
  await dataSource.query(
    'select relkind, count(*), max(relname) from pg_class where relname like $1 group by relkind order by 2',
    [`p${index % 10}%`],
  );
}
await dataSource.destroy();

// `resourceUsage().maxRSS` begins at the size of the process that forked this one: Linux keeps it across exec.
const [, mostKiB = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
process.stdout.write(`${mostKiB}\n`);
