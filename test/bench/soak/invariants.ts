import { setTimeout as delay } from 'node:timers/promises';

import type { DoctorReport } from '#apps/standalone/admin/doctor-operation';
import type { SourceView } from '#test/support/api-client';

import type { Ledger } from './ledger.js';
import type { SoakedService } from './soaked-service.js';

const PAGE = 100;

interface Found {
  readonly jobs: number;
  readonly open: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Waits until every job that there is has ended. @returns those that have not when the time is
 * over.
 */
export async function settle(
  ledgers: readonly Ledger[],
  withinMs: number,
): Promise<readonly string[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const open = (await Promise.all(ledgers.map((ledger) => openJobs(ledger)))).flat();
    if (open.length === 0 || Date.now() > deadline) return open;
    await delay(500);
  }
}

/**
 * Compares what a tenant sees with what it was promised: each source once, each job, and nothing it
 * never asked for.
 */
export async function compare(ledger: Ledger): Promise<Found> {
  const problems: string[] = [];
  const sources = await everything<SourceView>(ledger, 'sources');
  for (const [name, id] of ledger.sources) {
    const named = sources.filter((source) => source.name === name);
    if (named.length !== 1 || named[0]?.id !== id)
      problems.push(`source ${name} is there ${named.length} times`);
  }
  if (sources.length !== ledger.sources.size) {
    problems.push(`${ledger.sources.size} sources were acknowledged, ${sources.length} are there`);
  }
  const jobs = await everything<{ id: string; source_id: string }>(ledger, 'jobs');
  const ids = new Set(jobs.map(({ id }) => id));
  if (ids.size !== jobs.length) problems.push(`${jobs.length - ids.size} jobs are listed twice`);
  const lost = [...ledger.jobs].filter((id) => !ids.has(id));
  if (lost.length > 0)
    problems.push(`${lost.length} of ${ledger.jobs.size} acknowledged jobs are gone: ${lost[0]}`);
  return { jobs: jobs.length, open: await openJobs(ledger), problems };
}

/**
 * Whether log, blobs, read models and index agree, each published chunk in the index exactly once.
 */
export async function examine(service: SoakedService): Promise<readonly string[]> {
  const { checks } = (await service.operate('doctor')) as DoctorReport;
  return checks
    .filter(({ state }) => state === 'failed')
    .map(({ name, detail }) => `doctor: ${name}: ${detail}`);
}

async function openJobs(ledger: Ledger): Promise<string[]> {
  const open: string[] = [];
  for (const status of ['pending', 'running']) {
    for (const { id, stage } of await everything<{ id: string; stage: string }>(
      ledger,
      'jobs',
      `&status=${status}`,
    )) {
      open.push(`${id} ${status} at ${stage}`);
    }
  }
  return open;
}

async function everything<T>(ledger: Ledger, what: 'sources' | 'jobs', filter = ''): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const path = `/${what}?limit=${PAGE}&skip=${all.length}${filter}`;
    const page = await ledger.client.patiently<Record<typeof what, T[]>>('GET', path);
    all.push(...page[what]);
    if (page[what].length < PAGE) return all;
  }
}
