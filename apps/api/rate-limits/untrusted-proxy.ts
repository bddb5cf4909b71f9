import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { LOGGER, type Logger } from '#platform';

/**
 * Requests of one peer, for different clients each, that show it to be a proxy rather than a client
 * that forges a header.
 */
const CLIENTS_OF_A_PROXY = 20;
const MAX_PEERS = 1_000;
/** Maximum length of a stored header, characters. */
const MAX_HEADER = 256;

/**
 * Recognizes a proxy that `TRUST_PROXY` does not name: then all its clients share one address, and
 * with it the limits of one. The process logs it once. Requests are treated as before: every client
 * may write anything into the header.
 */
@Injectable()
export class UntrustedProxy {
  private readonly clientsOf = new LRUCache<string, Set<string>>({ max: MAX_PEERS });
  private logged = false;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Notes whom a request claims to come from. */
  note({ ip, headers, raw }: FastifyRequest): void {
    const peer = raw.socket.remoteAddress;
    const claimed = headers['x-forwarded-for'] ?? headers.forwarded;
    // A trusted proxy's requests have the address of its client.
    if (this.logged || claimed === undefined || peer === undefined || ip !== peer) return;
    const clients = this.clientsOf.get(peer) ?? new Set<string>();
    this.clientsOf.set(peer, clients.add(String(claimed).slice(0, MAX_HEADER)));
    if (clients.size < CLIENTS_OF_A_PROXY) return;
    this.logged = true;
    this.clientsOf.clear();
    this.logger.warn(
      { peer, clients: clients.size },
      `rate limits: ${peer} forwards requests of many clients, which share its limits; set TRUST_PROXY to its network if it is your proxy`,
    );
  }
}
