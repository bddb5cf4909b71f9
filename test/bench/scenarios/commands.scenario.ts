import { randomUUID } from 'node:crypto';

import { askOwner } from '#apps/standalone/admin/socket';
import { openSqliteEventStore } from '#event-store';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { distribution, inParallel, timed } from '../measure.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const CLIENTS = 50;
const APPENDS = 20_000;
const COMMANDS = 5_000;
const TARGET = 1_500;

/**
 * Appends with 50 writers, every one fsynced, and whole commands over HTTP; start on an empty
 * folder.
 */
export const commandsScenario: Scenario = {
  name: 'commands',
  async run({ scratch, say }: BenchContext): Promise<readonly Figure[]> {
    say(`${APPENDS} appends from ${CLIENTS} writers`);
    const appends = await appendSpeed(`${scratch}/log`);
    const empty = await timed(() => TwoTenantService.start(ROOMY));
    const service = empty.result;
    try {
      say(`${COMMANDS} commands over HTTP from ${CLIENTS} clients`);
      const started = performance.now();
      const times = distribution(
        await inParallel(CLIENTS, COMMANDS, async (index) => {
          await service.first.createRepo(
            `Source ${index}`,
            `https://example.com/team/repo-${index}.git`,
          );
        }),
      );
      const perSecond = (COMMANDS / (performance.now() - started)) * 1000;
      say('rebuilding the read models');
      const rebuilt = await rebuildSpeed(service.dataDir);
      await service.stop();
      const again = await timed(() => service.startAgain());
      return [
        {
          what: `event store: single-event appends, ${CLIENTS} writers, fsynced`,
          measured: `${Math.round(appends)} events/s`,
          target: `≥ ${TARGET} events/s`,
          met: appends >= TARGET,
          raw: { perSecond: appends },
        },
        {
          what: `POST /sources over HTTP, ${CLIENTS} clients, answer shows the write`,
          measured: `${Math.round(perSecond)} commands/s, p50 ${times.p50.toFixed(0)} ms, p95 ${times.p95.toFixed(0)} ms`,
          raw: { perSecond, ...times },
        },
        {
          what: `projection rebuild of the sources, ${rebuilt.events} events next to the live rows`,
          measured: `${Math.round(rebuilt.perSecond)} events/s`,
          target: '≥ 5000 events/s',
          met: rebuilt.perSecond >= 5_000,
          raw: rebuilt,
        },
        {
          what: 'start until ready, empty data folder (first start)',
          measured: `${(empty.milliseconds / 1000).toFixed(2)} s`,
          target: '≤ 3 s',
          met: empty.milliseconds <= 3_000,
          raw: { milliseconds: empty.milliseconds },
        },
        {
          what: 'start until ready, second start',
          measured: `${(again.milliseconds / 1000).toFixed(2)} s`,
          target: '≤ 3 s',
          met: again.milliseconds <= 3_000,
          raw: { milliseconds: again.milliseconds },
        },
      ];
    } finally {
      await service.dispose();
    }
  },
};

async function rebuildSpeed(dataDir: string): Promise<{ events: number; perSecond: number }> {
  const rows = (await askOwner(dataDir, 'rebuild', {}, 600_000)) as {
    name: string;
    events: number;
    milliseconds: number;
  }[];
  const sources = rows.find(({ name }) => name === 'sources');
  if (!sources) throw new Error('The rebuild did not name the sources');
  return { events: sources.events, perSecond: (sources.events / sources.milliseconds) * 1000 };
}

async function appendSpeed(directory: string): Promise<number> {
  const store = await openSqliteEventStore({
    directory,
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    const now = new Date().toISOString();
    const started = performance.now();
    await inParallel(CLIENTS, APPENDS, async () => {
      const id = randomUUID();
      await store.append(
        `tenant-${id}`,
        [
          {
            id: randomUUID(),
            type: 'TenantCreated',
            data: { tenant_id: id, name: 'Bench' },
            metadata: {
              tenant_id: id,
              actor: { type: 'system', id: 'bench' },
              correlation_id: id,
              causation_id: id,
              schema_version: 1,
              occurred_at: now,
            },
          },
        ],
        'none',
      );
    });
    return (APPENDS / (performance.now() - started)) * 1000;
  } finally {
    await store.close();
  }
}
