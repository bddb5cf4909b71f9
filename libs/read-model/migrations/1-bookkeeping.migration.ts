import type { MigrationInterface, QueryRunner } from 'typeorm';

import { APP_ROLE, PROJECTOR_ROLE, SCHEMA } from '../schema.js';

/**
 * Creates the roles, and two tables: the live version of each read model, and the checkpoint of
 * each version.
 */
export class Bookkeeping1700000000000 implements MigrationInterface {
  name = 'Bookkeeping1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const role of [APP_ROLE, PROJECTOR_ROLE]) await createRole(runner, role);
    await runner.query(`grant usage on schema ${SCHEMA} to ${APP_ROLE}`);
    await runner.query(`grant usage, create on schema ${SCHEMA} to ${PROJECTOR_ROLE}`);
    await runner.query(`
      create table ${SCHEMA}.projection_versions (
        name text primary key,
        live_version integer not null,
        -- What the code that made the live version understood by it; another understanding is a reason to rebuild.
        definition text not null
      )`);
    await runner.query(`
      create table ${SCHEMA}.checkpoints (
        projection text not null,
        version integer not null,
        -- Everything up to here is in the rows; null before the first batch.
        position text,
        -- When the event at the position happened.
        updated_at timestamptz(3),
        primary key (projection, version)
      )`);
    for (const table of ['projection_versions', 'checkpoints']) {
      await runner.query(`alter table ${SCHEMA}.${table} owner to ${PROJECTOR_ROLE}`);
      await runner.query(`grant select on ${SCHEMA}.${table} to ${APP_ROLE}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${SCHEMA}.checkpoints`);
    await runner.query(`drop table ${SCHEMA}.projection_versions`);
  }
}

/**
 * Creates a role. Roles belong to the whole server, so another database or its operator may have
 * created them. An owner that may not grant them must already be a member.
 */
async function createRole(runner: QueryRunner, role: string): Promise<void> {
  await runner.query(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${role}') then
        create role ${role} nologin;
      end if;
      begin
        execute format('grant %I to %I', '${role}', current_user);
      exception when insufficient_privilege then
        raise notice '% was not granted', '${role}';
      end;
    end $$`);
}
