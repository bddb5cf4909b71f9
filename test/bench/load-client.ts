import { Agent, request } from 'node:http';

import type { ApiClient } from '#test/support/api-client';

const TIMEOUT_MS = 60_000;

/**
 * Sends searches at little cost, because it shares the processors with the service. Connections are
 * kept; answers are read to their end but not parsed.
 */
export class LoadClient {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly client: ApiClient) {}

  /** @throws Error with the answer if a search fails. */
  search(query: string): Promise<void> {
    const { base, headers } = this.client.connection;
    const body = JSON.stringify({ query });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sent = request(`${base}/search`, {
      method: 'POST',
      agent: this.agent,
      timeout: TIMEOUT_MS,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve();
        else
          reject(
            new Error(`POST /search: ${answer.statusCode} ${Buffer.concat(parts).toString()}`),
          );
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('POST /search: no answer in time')));
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }

  close(): void {
    this.agent.destroy();
  }
}
