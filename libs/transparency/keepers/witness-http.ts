import { FootnoteError } from '#contracts';
import { AddressGuard } from '#platform';
import { GuardedHttp } from '#platform/http/guarded-http';

import type { WitnessConnection } from './witness-keeper.js';

const TIMEOUT_MS = 10_000;
/** Largest answer: 64 signature lines are shorter. */
const MAX_BYTES = 64 * 1024;

/** Connects to a witness at an address that the operator configured. */
export function witnessHttp(url: string): WitnessConnection {
  const http = new GuardedHttp({
    guard: new AddressGuard({ allowPrivateNetworks: false }),
    trustedOrigins: [new URL(url).origin],
  });
  return {
    post: async (path, body) => {
      const headers = { 'content-type': 'text/plain; charset=utf-8' };
      const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, maxRedirects: 0 };
      try {
        const request = { method: 'POST', headers, body, ...options } as const;
        const answer = await http.request(`${url}${path}`, request);
        return { status: answer.status, body: Buffer.from(answer.body).toString('utf8') };
      } catch (cause) {
        const message = 'A witness of AUDIT_WITNESSES does not answer; retrying';
        throw new FootnoteError('engine_unavailable', message, { cause });
      }
    },
  };
}
