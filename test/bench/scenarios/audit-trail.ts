import { createWriteStream } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { PROJECTIONS } from '#apps/api/engines/engines';
import type { DomainEvent, EventMetadata } from '#contracts';
import { ApiHarness } from '#test/support/api/api-harness';
import { httpClientOf } from '#test/support/api/http-client';
import { UNLIMITED } from '#test/support/limits';
import { memoryKiB } from '#test/support/process-memory';
import { proposed } from '#test/support/sample-events';

import { distribution, inParallel, timed } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import type { Figure } from '../report.js';

/** Events of one stream; as many as a short job has. */
const PER_STREAM = 5;
/** Every tenth stream belongs to the other tenant. */
const OTHER = 10;
const APPENDS = 64;
const PAGES = 60;
/** Longest end of an export that is searched for its manifest. */
const MANIFEST_BYTES = 16_384;
const HOUR = '2026-01-02T03:00:00.000Z';

/** A trail in a service of its own, whose events are all appended before the first is projected. */
export class BenchTrail {
  private constructor(
    readonly api: ApiHarness,
    private readonly events: number,
  ) {}

  static async start(events: number): Promise<BenchTrail> {
    const api = await ApiHarness.start({ environment: UNLIMITED });
    return new BenchTrail(api, events);
  }

  async stop(): Promise<void> {
    await this.api.stop();
  }

  /** Appends the events while nothing is projected, and measures the projector that follows. */
  async project(): Promise<readonly Figure[]> {
    const { api, events } = this;
    let started = 0;
    let processor = 0;
    await api.whileNothingIsProjected(async () => {
      const streams = Math.ceil(events / PER_STREAM);
      await inParallel(APPENDS, streams, async (index) => {
        await api.store.append(`read-${index}`, this.stream(index), 'none');
      });
      started = performance.now();
      processor = processorSeconds(process.pid) ?? 0;
    });
    const head = await api.store.head();
    if (head === null) throw new Error('The log is empty');
    await Promise.all(PROJECTIONS.map((name) => api.readModel.waitFor(name, head, 3_600_000)));
    const speed = events / ((performance.now() - started) / 1_000);
    const used = (processorSeconds(process.pid) ?? 0) - processor;
    const sizes = await api.readModel.tableSizes();
    const table = sizes.find((each) => each.table.startsWith('audit_records'));
    const bytes = table ? (table.diskBytes + table.indexBytes) / table.rows : 0;
    return [
      speedFigure('projected events, all projections, trail on', speed, events / used, 5_000),
      {
        what: 'bytes of a record in the read model, indexes included',
        measured: `${Math.round(bytes)} bytes`,
        target: '≤ 800 bytes',
        met: bytes > 0 && bytes <= 800,
        raw: { ...table, bytes },
      },
    ];
  }

  /** Measures pages of 50 records over HTTP, at places that differ. */
  async pages(): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const [name, query] of [
      ['no filter', ''],
      ['action', '&action=keys.listed'],
      ['kind of action, few records', '&action=policy.*'],
      ['actor', '&actor_id=key-3'],
      ['target', `&target_type=policy&target_id=${this.api.tenantA}`],
      ['request', '&request_id=request-77'],
      ['time', `&from=${HOUR}`],
    ] as const) {
      const times: number[] = [];
      for (let page = 0; page < PAGES; page += 1) {
        const after = Math.floor((this.events * 0.9 * (page + 1)) / (PAGES + 1));
        const url = `/audit/events?order=asc&limit=50&after=${after}${query}`;
        const { milliseconds, result } = await timed(() => this.api.call('GET', url));
        if (result.status !== 200) throw new Error(result.text);
        times.push(milliseconds);
      }
      const { p50, p95 } = distribution(times);
      figures.push({
        what: `page of 50 records, filter: ${name}`,
        measured: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
        target: 'p95 ≤ 30 ms',
        met: p95 <= 30,
        raw: { p50, p95 },
      });
    }
    return figures;
  }

  /** Exports the trail over HTTP into a file, and measures speed and memory. */
  async export(file: string, query: string): Promise<readonly Figure[]> {
    const { port } = await httpClientOf(this.api);
    const path = `/audit/export${query}`;
    const headers = { authorization: `Bearer ${this.api.keyA}` };
    const before = memoryKiB('VmRSS') ?? 0;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, memoryKiB('VmRSS') ?? 0)), 50);
    const processor = processorSeconds(process.pid) ?? 0;
    let lines = 0;
    let end = Buffer.alloc(0);
    const { milliseconds } = await timed(async () => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject);
      });
      const counter = new Transform({
        transform(chunk: Buffer, _, done) {
          for (const byte of chunk) if (byte === 10) lines += 1;
          end = Buffer.concat([end, chunk]).subarray(-MANIFEST_BYTES);
          done(null, chunk);
        },
      });
      await pipeline(response, counter, createWriteStream(file));
    });
    clearInterval(watch);
    const used = (processorSeconds(process.pid) ?? 0) - processor;
    const memory = (most - before) / 1_024;
    const what = `exported records (${query === '' ? 'complete' : query})`;
    // Hashes stand for the records that a filter leaves out.
    const leaves = sizeOf(end.toString('utf8')) ?? lines;
    return [
      speedFigure(what, leaves / (milliseconds / 1_000), leaves / used, 10_000),
      {
        what: `memory of that export, client included`,
        measured: `+ ${memory.toFixed(0)} MiB`,
        target: '+ 64 MiB',
        met: memory <= 64,
        raw: { memory, lines },
      },
    ];
  }

  private stream(index: number) {
    const tenant = index % OTHER === 0 ? this.api.tenantB : this.api.tenantA;
    const metadata: Partial<EventMetadata> = {
      tenant_id: tenant,
      actor: { type: 'api_key', id: `key-${index % 50}`, name: `CI ${index % 50}` },
      correlation_id: `request-${index}`,
      http: {
        request_id: `request-${index}`,
        ip: '192.0.2.7',
        user_agent: 'curl/8.5.0',
        method: 'GET',
        path: '/keys',
      },
    };
    return Array.from({ length: PER_STREAM }, () => proposed(LISTED, metadata));
  }
}

/** Returns the leaves of an export by its end; null if it has no manifest. */
function sizeOf(end: string): number | null {
  const [, size] = /"size":(\d+),"tenant_id"[^\n]*\n$/.exec(end) ?? [];
  return size === undefined ? null : Number(size);
}

const LISTED: DomainEvent = { type: 'KeysListed', data: { hour: HOUR } };

function speedFigure(what: string, speed: number, perSecond: number, target: number): Figure {
  return {
    what,
    measured: `${Math.round(speed)} per s; ${Math.round(perSecond)} per s of processor time`,
    target: `≥ ${target} per s`,
    met: speed >= target,
    raw: { speed, perSecond },
  };
}
