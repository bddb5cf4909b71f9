import type { Pool, PoolClient } from 'pg';

/** Any number that nobody else uses. */
const MIGRATION_LOCK = '7305531865';

/** Steps in execution order. A released step is never edited. */
const STEPS = [
  `create table keyring.master_key (
     only_one boolean primary key default true check (only_one),
     -- Tells the master key that wrapped the keys from any other; it opens nothing.
     fingerprint text not null
   );
   create table keyring.data_keys (
     tenant_id text primary key,
     -- The data key, sealed with the master key; null once it was destroyed.
     wrapped bytea,
     created_at timestamptz(3) not null default now(),
     destroyed_at timestamptz(3),
     check ((wrapped is null) = (destroyed_at is not null))
   );
   create function keyring.keep_destroyed() returns trigger language plpgsql as $$
   begin
     if old.wrapped is null and new.wrapped is not null then
       raise exception 'the data key of tenant % was destroyed for good', old.tenant_id;
     end if;
     return new;
   end $$;
   create trigger keep_destroyed before update on keyring.data_keys
     for each row execute function keyring.keep_destroyed()`,
  `create table keyring.log_binding (
     only_one boolean primary key default true check (only_one),
     -- The log whose texts the keys seal.
     log_id text not null
   )`,
  `create table keyring.ring (
     only_one boolean primary key default true check (only_one),
     -- Names the keys that are made in this ring: those of a lost ring that is put back have other names.
     key_id text not null default substr(md5(gen_random_uuid()::text), 1, 8)
   );
   insert into keyring.ring default values;
   -- Empty for keys that were made before they had ids.
   alter table keyring.data_keys add column key_id text not null default '';
   alter table keyring.data_keys drop constraint data_keys_pkey;
   alter table keyring.data_keys add primary key (tenant_id, key_id)`,
];

/**
 * Migrates the schema `keyring`; migrations and rebuilds of the read models never touch it. Safe to
 * call from several processes at once. A `login` other than the owner gets the rights of a key
 * ring: it may never delete a row.
 */
export async function migrateKeyRing(pool: Pool, login: string | null): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await runSteps(client);
    if (login) await grant(client, login);
    await client.query('commit');
    client.release();
  } catch (error) {
    // The connection ends, and with it the transaction.
    client.release(true);
    throw error;
  }
}

async function runSteps(client: PoolClient): Promise<void> {
  await client.query('create schema if not exists keyring');
  await client.query('create table if not exists keyring.migrations (step integer primary key)');
  const { rows } = await client.query<{ done: number }>(
    'select count(*)::int as done from keyring.migrations',
  );
  const done = rows[0]?.done ?? 0;
  if (done > STEPS.length)
    throw new Error('The key ring is from a newer version of Footnote; start that version');
  for (const [index, step] of STEPS.entries()) {
    if (index < done) continue;
    await client.query(step);
    await client.query('insert into keyring.migrations values ($1)', [index + 1]);
  }
}

async function grant(client: PoolClient, login: string): Promise<void> {
  const name = client.escapeIdentifier(login);
  await client.query(`grant usage on schema keyring to ${name}`);
  await client.query(`grant select on keyring.master_key, keyring.ring to ${name}`);
  await client.query(
    `grant select, insert, update on keyring.data_keys, keyring.log_binding to ${name}`,
  );
}
