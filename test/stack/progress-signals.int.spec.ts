import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';

import type { Position } from '#contracts';
import { silentLogger, sleep } from '#platform';
import {
  advanceCheckpoint,
  asProjector,
  openReadModelDataSource,
  ProjectionProgress,
  readCheckpoint,
  ReadModel,
  SCHEMA,
} from '#read-model';
import { PostgresSignals } from '#read-model/progress/postgres-signals';

import { describeWhen } from '../support/describe-when.js';

const adminUrl = process.env['DATABASE_ADMIN_URL'];
const LIVE = { name: 'policies', version: 1 };
const LONG_MS = 10_000;

const at = (position: number) => String(position).padStart(20, '0') as Position;

describeWhen('DATABASE_URL', 'PostgreSQL', (url) => {
  describe('progress of projections in other processes', () => {
    let projector: DataSource;
    let reader: DataSource;
    let before: Position | null | undefined;
    let stored: Position | null;
    const progress = new ProjectionProgress();
    const signals = new PostgresSignals({ url, progress, logger: silentLogger });

    beforeAll(async () => {
      const options = {
        kind: 'postgres' as const,
        url,
        logger: silentLogger,
        ...(adminUrl ? { adminUrl } : {}),
      };
      projector = await openReadModelDataSource(options);
      reader = await openReadModelDataSource({ ...options, poolSize: 2 });
      before = await asProjector(projector, (manager) => readCheckpoint(manager, LIVE));
      signals.start();
      await isLive();
    });
    beforeEach(async () => {
      stored = (await asProjector(projector, (manager) => readCheckpoint(manager, LIVE))) ?? null;
    });
    afterAll(async () => {
      await signals.close();
      await asProjector(projector, (manager) =>
        manager.query(
          `update ${SCHEMA}.checkpoints set position = $1 where projection = $2 and version = $3`,
          [before ?? null, LIVE.name, LIVE.version],
        ),
      );
      await Promise.all([projector.destroy(), reader.destroy()]);
    });

    const isLive = async (): Promise<void> => {
      for (let left = 100; !signals.live; left -= 1) {
        if (left === 0) throw new Error('No signals came');
        await sleep(50);
      }
    };
    const next = () => at(Number(stored ?? 0) + 1);
    const advance = (from: Position | null, to: Position) =>
      asProjector(projector, (manager) => advanceCheckpoint(manager, LIVE, from, to, null));

    it('wakes who waits without being asked', async () => {
      const waited = progress.wait('policies', next(), LONG_MS);
      expect(await advance(stored, next())).toEqual({ outcome: 'advanced' });
      expect(await waited).toBe(true);
      expect(progress.has('policies', next())).toBe(true);
    });

    it('says nothing of a step that was rolled back, or that somebody else had taken', async () => {
      const rolledBack = asProjector(projector, async (manager) => {
        await advanceCheckpoint(manager, LIVE, stored, next(), null);
        throw new Error('roll back');
      });
      await expect(rolledBack).rejects.toThrow('roll back');
      expect(await advance(next(), next())).toMatchObject({ outcome: 'ahead' });
      expect(await progress.wait('policies', next(), 100)).toBe(false);
    });

    it('says nothing of a version that queries do not read', async () => {
      const hidden = { name: 'policies', version: 900 };
      await asProjector(projector, (manager) =>
        manager.query(`insert into ${SCHEMA}.checkpoints (projection, version) values ($1, $2)`, [
          hidden.name,
          hidden.version,
        ]),
      );
      const far = at(Number(stored ?? 0) + 1_000_000);
      try {
        const step = asProjector(projector, (manager) =>
          advanceCheckpoint(manager, hidden, null, far, null),
        );
        expect(await step).toEqual({ outcome: 'advanced' });
        expect(await progress.wait('policies', far, 100)).toBe(false);
      } finally {
        await asProjector(projector, (manager) =>
          manager.query(
            `delete from ${SCHEMA}.checkpoints where projection = $1 and version = $2`,
            [hidden.name, hidden.version],
          ),
        );
      }
    });

    it('lets a read model wait, also while no signal comes', async () => {
      const deaf = { live: true, start: () => undefined };
      for (const model of [
        new ReadModel(reader, progress, signals),
        new ReadModel(reader, undefined, deaf),
      ]) {
        stored = (await model.positionOf('policies')) ?? null;
        const to = next();
        const waited = model.waitFor('policies', to, LONG_MS);
        await advance(stored, to);
        expect(await waited).toBe(true);
        expect(await model.waitFor('policies', at(Number(to) + 1), 60)).toBe(false);
      }
    });

    it('comes back after the connection was lost', async () => {
      await projector.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'footnote progress' and datname = current_database()`,
      );
      for (let left = 100; signals.live && left > 0; left -= 1) await sleep(20);
      await isLive();
      const waited = progress.wait('policies', next(), LONG_MS);
      await advance(stored, next());
      expect(await waited).toBe(true);
    });
  });
});
