import type { Engines } from '#engines';
import { sleep } from '#platform';

import { closeApi, createApi } from './create-api.js';
import type { ProcessPart } from './engines/engines.js';
import { Readiness } from './health/readiness.js';
import { firstOwnerLink } from './invitations/first-owner-link.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { SearchConcurrency } from './search/search-concurrency.js';
import { KeptServiceDocs } from './service-docs/kept-service-docs.js';
import { bootstrapFirstTenant } from './tenants/create-tenant.js';

/** Longest wait for the read models to catch up with the log before the start counts as failed. */
const READY_TIMEOUT_MS = 600_000;
const READY_POLL_MS = 10;

/** An API that serves requests. */
export interface RunningApi {
  readonly url: string;
  /**
   * The first API key where this start made one on an empty store; shown once. Null where the
   * operator chose it.
   */
  readonly madeKey: string | null;
  /**
   * The one-time link that makes the owner of the first tenant; shown once. Null without a made key
   * or without the page for people.
   */
  readonly ownerLink: string | null;
  /**
   * Resolves when it can serve; what is indexed of the service's own begins then. @throws Error
   * naming what is missing after ten minutes.
   */
  untilReady(): Promise<void>;
  /** Returns whether a search is at work, or ended a moment ago: other work can wait for it. */
  isSearching(): boolean;
  /**
   * Reports that it is not ready, serves for the configured delay, then drains. The engines stay
   * open.
   */
  stop(): Promise<void>;
}

export interface StartApiOptions {
  /**
   * Awaited when all but listening is done: gives the address free that something else has held so
   * far.
   */
  readonly beforeListening?: () => Promise<void>;
  /** Another part of this process, whose state the API shows with its own. */
  readonly processPart?: ProcessPart;
}

/** Makes the first tenant on an empty store and serves the API over the engines. */
export async function startApi(
  engines: Engines<
    | 'eventStore'
    | 'readModel'
    | 'searchIndex'
    | 'blobs'
    | 'embedder'
    | 'chatModel'
    | 'keyRing'
    | 'rateLimiter'
  >,
  { beforeListening, processPart }: StartApiOptions = {},
): Promise<RunningApi> {
  const { config, eventStore, clock } = engines;
  const issued = await bootstrapFirstTenant(eventStore, clock, config.bootstrapApiKey);
  const api = await createApi({ ...engines, ...(processPart && { processPart }) });
  const lifecycle = api.get(Lifecycle);
  const searches = api.get(SearchConcurrency, { strict: false });
  await beforeListening?.();
  await api.listen(config.http.port, config.http.host);
  const url = localUrl(await api.getUrl());
  const madeKey = config.bootstrapApiKey ? null : issued;
  return {
    url,
    madeKey,
    ownerLink:
      madeKey !== null && config.http.webUi
        ? await firstOwnerLink(eventStore, clock, config.http.publicUrl ?? url)
        : null,
    untilReady: async () => {
      await untilReady(api.get(Readiness));
      api.get(KeptServiceDocs).start();
    },
    isSearching: () => searches.isSearching(),
    stop: async () => {
      lifecycle.announceEnd();
      await sleep(config.shutdownDelaySeconds * 1_000);
      await closeApi(api);
    },
  };
}

async function untilReady(readiness: Readiness): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const { status, checks } = await readiness.check();
    if (status === 'ready') return;
    if (performance.now() > deadline) {
      const failing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
      throw new Error(`The service did not become ready: ${failing.join(', ')}`);
    }
    await sleep(READY_POLL_MS);
  }
}

/** A wildcard address is reachable here as loopback. */
function localUrl(url: string): string {
  return url.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
}
