import { randomUUID } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import type { Caller } from '#apps/api/auth/caller';
import { credentialOf } from '#apps/api/auth/credentials';
import { KnownApiKeys } from '#apps/api/auth/known-api-keys';
import { QuotaLedger } from '#apps/api/quota/quota-ledger';
import { TenantPlans } from '#apps/api/quota/tenant-plans';
import { RateLimits } from '#apps/api/rate-limits/rate-limits';
import type { AppendResult, EventStore } from '#event-store';
import { systemClock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { ROOMY, UNLIMITED } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { distribution, inParallel } from '../measure.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const ADMISSIONS = 20_000;
const WARM_UP = 2_000;
const CONSUMED_BEFORE = 20_000;
const COLD_CHARGES = 20_000;
const REQUESTS = 2_000;
const TARGET_MS = 1;

/**
 * Measures the cost of authentication, rate limits and quota per request. In the process: with a
 * log that takes charges without its disk, and 20,000 charges in the window. Over HTTP: with and
 * without limits. It also measures the first charge of a process.
 */
export const admissionScenario: Scenario = {
  name: 'admission',
  async run({ say }: BenchContext): Promise<readonly Figure[]> {
    say(`${ADMISSIONS} admissions in the process`);
    const inside = await inProcess();
    const figures: Figure[] = [
      {
        what: `authentication + rate limits + quota of a search, ${CONSUMED_BEFORE} in its window, without the fsync`,
        measured: `p50 ${inside.p50.toFixed(3)} ms, p95 ${inside.p95.toFixed(3)} ms, p99 ${inside.p99.toFixed(3)} ms`,
        target: `p95 ≤ ${TARGET_MS} ms`,
        met: inside.p95 <= TARGET_MS,
        raw: { ...inside },
      },
    ];
    say(`a cold start with ${COLD_CHARGES} charges in the window`);
    const cold = await coldStart();
    figures.push({
      what: `first charge of a process with ${COLD_CHARGES} charges in the window, from the embedded log`,
      measured: `${cold.toFixed(0)} ms`,
      raw: { milliseconds: cold },
    });
    for (const [name, environment] of [
      ['with limits', ROOMY],
      ['without limits', UNLIMITED],
    ] as const) {
      say(`${REQUESTS} searches over HTTP ${name}`);
      const times = await overHttp(environment);
      figures.push({
        what: `POST /search of an empty tenant over HTTP, 1 client, ${name}`,
        measured: `p50 ${times.p50.toFixed(2)} ms, p95 ${times.p95.toFixed(2)} ms`,
        raw: { ...times },
      });
    }
    return figures;
  },
};

async function inProcess() {
  let position = 0n;
  const appended = async (): Promise<AppendResult> => {
    position += 1n;
    const last = position - 1n;
    return { revision: last, position: String(last).padStart(20, '0') as AppendResult['position'] };
  };
  /** Charges are taken at once and kept nowhere; everything else is the log itself. */
  const between = (log: EventStore): EventStore => {
    const store = Object.create(log) as EventStore;
    store.append = (stream, events, expected) =>
      stream.startsWith('quota-') ? appended() : log.append(stream, events, expected);
    return store;
  };
  const api = await ApiHarness.start({ environment: ROOMY, between });
  try {
    const { limits, keys, ledger } = {
      limits: api.app.get(RateLimits),
      keys: api.app.get(KnownApiKeys),
      ledger: api.app.get(QuotaLedger),
    };
    const headers = { authorization: `Bearer ${api.keyA}` };
    const admit = async () => {
      const request = { headers, ip: '203.0.113.5' } as unknown as FastifyRequest;
      await limits.admit(request);
      const principal = keys.principalOf(credentialOf(headers));
      if (!principal) throw new Error('The key is not known');
      const caller = callerOf(principal.tenantId);
      const reservation = await ledger.reserve({ caller, metric: 'search' });
      await reservation.charge({ at: Date.now() });
      limits.answered(request, 200);
    };
    await inParallel(1, CONSUMED_BEFORE + WARM_UP, admit);
    return distribution(await inParallel(1, ADMISSIONS, admit));
  } finally {
    await api.stop();
  }
}

/** The time of a ledger that knows nothing of the stream yet. */
async function coldStart(): Promise<number> {
  const api = await ApiHarness.start({ environment: ROOMY });
  try {
    const order = { caller: callerOf(api.tenantA), metric: 'search' } as const;
    const ledger = api.app.get(QuotaLedger);
    // Of the size that receipts of searches have.
    const continued = ['x'.repeat(3_000)];
    await inParallel(64, COLD_CHARGES, async () => {
      await ledger.charge(order, { at: Date.now(), consumption: async () => ({ continued }) });
    });
    const started = performance.now();
    const other = new QuotaLedger(api.store, systemClock, api.app.get(TenantPlans));
    await other.charge(order, { at: Date.now() });
    return performance.now() - started;
  } finally {
    await api.stop();
  }
}

async function overHttp(environment: Readonly<Record<string, string>>) {
  const service = await TwoTenantService.start(environment);
  try {
    const search = async () => void (await service.first.search('nothing'));
    await inParallel(1, 200, search);
    return distribution(await inParallel(1, REQUESTS, search));
  } finally {
    await service.dispose();
  }
}

function callerOf(tenantId: string): Caller {
  const requestId = randomUUID();
  return {
    tenantId,
    actor: { type: 'api_key', id: 'bench' },
    scopes: ['read'],
    expiresAt: null,
    requestId,
    http: { request_id: requestId, method: 'POST', path: '/search' },
    route: 'POST /search',
    pathParameters: {},
    idempotencyKey: undefined,
  };
}
