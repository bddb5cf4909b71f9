import { silentLogger } from '#platform';
import { openReadModelDataSource } from '#read-model';
import { memoryKiB } from '#test/support/process-memory';

/** Enough for V8 to count PostgreSQL's interpreter of expressions as hot, several times over. */
const STATEMENTS = 300;

/**
 * Runs statements on embedded read models in the folder named, and prints the most memory it had,
 * in KiB.
 */
const [directory = ''] = process.argv.slice(2);
const dataSource = await openReadModelDataSource({
  kind: 'pglite',
  directory,
  logger: silentLogger,
});
for (let index = 0; index < STATEMENTS; index += 1) {
  await dataSource.query(
    'select relkind, count(*), max(relname) from pg_class where relname like $1 group by relkind order by 2',
    [`p${index % 10}%`],
  );
}
await dataSource.destroy();
process.stdout.write(`${memoryKiB('VmHWM') ?? ''}\n`);
