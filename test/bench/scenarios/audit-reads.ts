import type { IncomingMessage } from 'node:http';

import type { AuditEventList, TrailVerification } from '#contracts/http/index';
import type { ApiHarness } from '#test/support/api/api-harness';
import { httpClientOf } from '#test/support/api/http-client';
import { openStream } from '#test/support/api/read-stream';
import { proposed } from '#test/support/sample-events';

import { distribution, timed } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import type { Figure } from '../report.js';

/** Records that are verified over HTTP, in slices. */
const VERIFIED = 50_000;
/** Events whose way to a subscriber is measured. */
const DELIVERED = 200;
const FEED_TARGET_MS = 200;

/** Measures `GET /audit/verify`, slice by slice. */
export async function verifyRate(api: ApiHarness): Promise<Figure> {
  const processor = processorSeconds(process.pid) ?? 0;
  let checked = 0;
  const { milliseconds } = await timed(async () => {
    let from: number | null = 0;
    while (from !== null && checked < VERIFIED) {
      const url: string = `/audit/verify?from_seq=${from}`;
      const { body, text } = await api.call<TrailVerification>('GET', url);
      if (!body.valid) throw new Error(text);
      checked += body.checked;
      from = body.continue_from;
    }
  });
  const speed = checked / (milliseconds / 1_000);
  const perSecond = checked / ((processorSeconds(process.pid) ?? 0) - processor);
  return {
    what: `records that GET /audit/verify checks, of ${checked}`,
    measured: `${Math.round(speed)} per s; ${Math.round(perSecond)} per s of processor time`,
    raw: { speed, perSecond, checked },
  };
}

/** Measures the time from the commit of an event until a subscriber of the feed has it. */
export async function feedDelay(api: ApiHarness): Promise<Figure> {
  const { port } = await httpClientOf(api);
  const { body } = await api.call<AuditEventList>('GET', '/audit/events?limit=1');
  const path = `/events?types=PolicyUpdated&after=${body.events[0]?.seq ?? 0}`;
  const stream = await openStream(port, path, { key: api.keyA });
  const times: number[] = [];
  try {
    for (let index = 0; index < DELIVERED; index += 1) {
      const arrival = nextEvent(stream);
      const changes = { staleness_budget_seconds: 60 + index };
      const event = proposed(
        { type: 'PolicyUpdated', data: { changes } },
        { tenant_id: api.tenantA },
      );
      await api.store.append(
        `policy-${api.tenantA}`,
        [event],
        index === 0 ? 'none' : BigInt(index - 1),
      );
      const { milliseconds } = await timed(() => arrival);
      times.push(milliseconds);
    }
  } finally {
    stream.destroy();
  }
  const { p50, p95 } = distribution(times);
  return {
    what: 'from the commit of an event to a subscriber of the feed',
    measured: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    target: `p95 ≤ ${FEED_TARGET_MS} ms`,
    met: p95 <= FEED_TARGET_MS,
    raw: { p50, p95, events: DELIVERED },
  };
}

/** Waits for the next event of a stream, past comments. */
async function nextEvent(stream: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    const read = (chunk: Buffer): void => {
      if (!chunk.toString('utf8').includes('data:')) return;
      stream.off('data', read);
      resolve();
    };
    stream.on('data', read);
  });
}
