import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RoverEvent } from '#contracts';
import type { RoverJobView } from '#contracts/http/index';
import { roverPlaces } from '#domain';
import { sealParts, seeded } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { openStream, readFrames, type StreamFrame } from '#test/support/api/read-stream';

const AT = '2026-05-01T12:00:00.000Z';
const READERS = 200;
const PARTS = 40;

describe('readers of a rover job', () => {
  let api: ApiHarness;
  let port: number;

  beforeAll(async () => {
    const environment = { STREAMS_PER_TENANT: String(READERS), RATE_LIMIT_ADDRESS: '0' };
    api = await ApiHarness.start({ environment });
    await api.app.listen(0, '127.0.0.1');
    port = (api.app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(() => api.stop());

  const open = (id: string, last: string | undefined) =>
    openStream(port, `/rover/jobs/${id}/stream`, {
      key: api.keyA,
      headers: last === undefined ? {} : { 'last-event-id': last },
    });

  async function token(rover_job_id: string, part: number): Promise<RoverEvent> {
    const place = { tenantId: api.tenantA, boundTo: roverPlaces.token(rover_job_id, part) };
    const [sealed = ''] = await sealParts(api.keyRing, place, `word ${part} `, [8_000, 8_000]);
    return { type: 'RoverTokensWritten', data: { rover_job_id, part, sealed } };
  }

  /** Reads a stream to its end; drops the connection after one to five events each time. */
  async function readWithDrops(id: string, random: () => number) {
    const seen: StreamFrame[] = [];
    let drops = -1;
    while (seen.at(-1)?.event !== 'done') {
      const response = await open(id, seen.at(-1)?.id);
      // A connection that was dropped is released when the server notices.
      if (response.statusCode === 429) response.resume();
      else seen.push(...(await readFrames(response, 1 + Math.floor(random() * 5))));
      drops += 1;
    }
    return { seen, drops };
  }

  it('see each event once and the same words, though all drop and resume while it is written', async () => {
    const { body } = await api.call<RoverJobView>('POST', '/rover/jobs', { question: 'Why?' });
    const { id } = body;
    const reading = Promise.all(
      Array.from({ length: READERS }, (_, at) => readWithDrops(id, seeded(at))),
    );
    await api.append(api.tenantA, `rover-${id}`, {
      type: 'RoverJobStarted',
      data: { rover_job_id: id, started_at: AT },
    });
    for (let part = 0; part < PARTS; part += 1) {
      await api.append(api.tenantA, `rover-${id}`, await token(id, part));
      if (part % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await api.call('DELETE', `/rover/jobs/${id}`);
    const readers = await reading;
    const ids = Array.from({ length: PARTS + 3 }, (_, at) => String(at));
    const words = Array.from({ length: PARTS }, (_, at) => `word ${at} `).join('');
    for (const { seen } of readers) {
      expect(seen.map((frame) => frame.id)).toEqual(ids);
      const tokens = seen.filter(({ event }) => event === 'token');
      expect(tokens.map(({ data }) => data['token']).join('')).toBe(words);
    }
    expect(readers.reduce((sum, { drops }) => sum + drops, 0)).toBeGreaterThan(READERS);
    const foreign = await openStream(port, `/rover/jobs/${id}/stream`, { key: api.keyB });
    expect(foreign.statusCode).toBe(404);
    foreign.resume();
  }, 60_000);
});
