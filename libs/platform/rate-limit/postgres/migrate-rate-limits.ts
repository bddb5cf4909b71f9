import type { Pool } from 'pg';

/** Any number that nobody else uses. */
const MIGRATION_LOCK = '7305531866';

/**
 * Counts by subject in slots of a second, the newest first. The table is unlogged: a crash of the
 * server loses the counts of the last minute.
 */
const TABLE = `create unlogged table if not exists ratelimit.subjects (
  subject text primary key,
  -- The second of the first slot, of the server's clock.
  newest bigint not null,
  slots integer[] not null
)`;

/**
 * Grants as many as fit, at most `wanted`. Unused tokens of an earlier grant are subtracted from
 * their slot. One row, locked for one statement; the slots are those of the window and three more.
 */
const LEASE = `create or replace function ratelimit.lease(
  asked text, wanted integer, most integer, kept integer, unused integer, unused_at bigint,
  out granted integer, out used integer, out at_second bigint, out free_in integer
) language plpgsql as $$
declare
  known ratelimit.subjects;
  passed integer;
  slot integer;
begin
  at_second := floor(extract(epoch from clock_timestamp()));
  insert into ratelimit.subjects values (asked, at_second, array_fill(0, array[kept])) on conflict do nothing;
  select * into known from ratelimit.subjects where subject = asked for update;
  at_second := greatest(at_second, known.newest);
  passed := least(at_second - known.newest, kept);
  if passed = kept then
    known.slots := array_fill(0, array[kept]);
  elsif passed > 0 then
    known.slots := array_fill(0, array[passed]) || known.slots[1:kept - passed];
  end if;
  if unused > 0 and at_second - unused_at between 0 and kept - 1 then
    slot := at_second - unused_at + 1;
    known.slots[slot] := greatest(0, known.slots[slot] - unused);
  end if;
  select coalesce(sum(n), 0), kept - max(i) filter (where n > 0) + 1 into used, free_in
    from unnest(known.slots) with ordinality as counted(n, i);
  granted := greatest(0, least(wanted, most - used));
  known.slots[1] := known.slots[1] + granted;
  used := used + granted;
  free_in := coalesce(free_in, kept);
  update ratelimit.subjects set newest = at_second, slots = known.slots where subject = asked;
end $$`;

/**
 * Creates the schema `ratelimit`. Safe to call from several processes at once; a `login` other than
 * the owner may use it.
 */
export async function migrateRateLimits(pool: Pool, login: string | null): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query('create schema if not exists ratelimit');
    await client.query(TABLE);
    await client.query(LEASE);
    if (login) {
      const name = client.escapeIdentifier(login);
      await client.query(`grant usage on schema ratelimit to ${name}`);
      await client.query(`grant select, insert, update, delete on ratelimit.subjects to ${name}`);
    }
    await client.query('commit');
    client.release();
  } catch (error) {
    // The connection ends, and with it the transaction.
    client.release(true);
    throw error;
  }
}
