import type { MigrationInterface, QueryRunner } from 'typeorm';

import { APP_ROLE, PROJECTOR_ROLE, SCHEMA } from '../schema.js';

/**
 * The log from which the read models are built. It belongs to no version of a read model, so no
 * rebuild changes it.
 */
export class LogBinding1700000000001 implements MigrationInterface {
  name = 'LogBinding1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table ${SCHEMA}.log_binding (
        only_one boolean primary key default true check (only_one),
        log_id text not null
      )`);
    await runner.query(`alter table ${SCHEMA}.log_binding owner to ${PROJECTOR_ROLE}`);
    await runner.query(`grant select on ${SCHEMA}.log_binding to ${APP_ROLE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${SCHEMA}.log_binding`);
  }
}
