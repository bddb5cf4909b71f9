import { LRUCache } from 'lru-cache';

import { type Ecosystem, isStageFailure } from '#contracts';
import type { Config, RegistryAddress } from '#platform';

import { WebClient, type WebDocument, type WebUnchanged } from '../web/web-client.js';
import { registryFailure } from './registry-failure.js';

/** Age below which a document is not requested again. */
const FRESH_MS = 60_000;
/** Greatest age of a document that replaces an unavailable registry. */
const USABLE_MS = 24 * 3_600_000;
const KEPT_BYTES = 32 * 1024 * 1024;
/** Most bytes of one document: the largest ones of registries have a third of that. */
const MOST_BYTES = 32 * 1024 * 1024;

export const REGISTRY_AGENT = 'Footnote (package indexer)';

/** A registry, with the authorization that it accepts, if any. */
export interface RegistryEndpoint extends RegistryAddress {
  readonly ecosystem: Ecosystem;
  /** Key that distinguishes the documents of registries. */
  readonly key: string;
}

/** Access of adapters to a registry. */
export interface RegistryReader {
  readonly url: string;
  /**
   * Reads a document below the registry's address, or at another URL; null if it does not exist.
   */
  read(path: string, accept?: string): Promise<Uint8Array | null>;
}

interface Kept {
  readonly bytes: Uint8Array;
  readonly etag?: string;
  readonly last_modified?: string;
  readonly checkedAt: number;
}

export interface RegistryDocumentsOptions {
  readonly network: Pick<Config['network'], 'allowPrivateNetworks'>;
  /** Longest time for one document. */
  readonly timeoutMs: number;
  readonly now?: () => number;
}

/**
 * Documents of registries. Concurrent requests for a document share one read; the result is fresh
 * for a minute. After that, its validators are checked again. While the registry is unavailable,
 * the document is used for one more day.
 */
export class RegistryDocuments {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.byteLength + 1_000,
  });
  private readonly asked = new Map<string, Promise<Uint8Array | null>>();
  private readonly now: () => number;

  constructor(private readonly options: RegistryDocumentsOptions) {
    this.now = options.now ?? Date.now;
  }

  /** Returns a reader of a registry. @param subject name of the package in failures. */
  reader(registry: RegistryEndpoint, subject: string, signal: AbortSignal): RegistryReader {
    return {
      url: registry.url,
      read: async (path, accept = '*/*') => {
        signal.throwIfAborted();
        const url = /^https?:/.test(path) ? path : `${registry.url}/${path}`;
        try {
          return await untilAborted(this.document(registry, url, accept), signal);
        } catch (error) {
          signal.throwIfAborted();
          throw registryFailure(error, registry.ecosystem, subject);
        }
      },
    };
  }

  private document(
    registry: RegistryEndpoint,
    url: string,
    accept: string,
  ): Promise<Uint8Array | null> {
    const key = `${registry.key} ${accept} ${url}`;
    const asked = this.asked.get(key);
    if (asked) return asked;
    const asking = this.fetch(registry, url, accept, key).finally(() => this.asked.delete(key));
    this.asked.set(key, asking);
    return asking;
  }

  private async fetch(registry: RegistryEndpoint, url: string, accept: string, key: string) {
    const known = this.kept.get(key);
    if (known !== undefined && this.now() - known.checkedAt < FRESH_MS) return known.bytes;
    try {
      const answer = await this.request(registry, url, accept, known);
      const checkedAt = this.now();
      if (answer.kind === 'unchanged' && known !== undefined) {
        this.kept.set(key, { ...known, checkedAt });
        return known.bytes;
      }
      if (answer.kind === 'unchanged') throw new Error('Nothing was known that could be unchanged');
      const { bytes, etag, last_modified } = answer;
      this.kept.set(key, {
        bytes,
        ...(etag && { etag }),
        ...(last_modified && { last_modified }),
        checkedAt,
      });
      return bytes;
    } catch (error) {
      if (isMissing(error)) {
        this.kept.delete(key);
        return null;
      }
      const isAway = isStageFailure(error) && error.retryable;
      if (isAway && known !== undefined && this.now() - known.checkedAt < USABLE_MS)
        return known.bytes;
      throw error;
    }
  }

  /**
   * Requests a document. The request outlives its first requester: others may wait for the same
   * document, which has its own time limit.
   */
  private async request(
    registry: RegistryEndpoint,
    url: string,
    accept: string,
    known: Kept | undefined,
  ): Promise<WebDocument | WebUnchanged> {
    const { network, timeoutMs } = this.options;
    const trustedOrigins = [new URL(registry.url).origin];
    const { signal } = new AbortController();
    const client = new WebClient({
      network,
      trustedOrigins,
      userAgent: REGISTRY_AGENT,
      signal,
      timeoutMs,
    });
    try {
      const { etag, last_modified } = known ?? {};
      const authorization = authorizationFor(registry, url);
      return await client.get(url, {
        maxBytes: MOST_BYTES,
        accept,
        authorization,
        etag,
        last_modified,
      });
    } finally {
      await client.close();
    }
  }
}

/** Returns the authorization header with a registry's token: only for its own origin. */
export function authorizationFor(
  { ecosystem, token, username, url }: RegistryEndpoint,
  target: string,
) {
  if (token === undefined || new URL(target).origin !== new URL(url).origin) return undefined;
  if (username !== undefined)
    return `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
  return ecosystem === 'cargo' ? token : `Bearer ${token}`;
}

function isMissing(error: unknown): boolean {
  return (
    isStageFailure(error) &&
    (error.details?.status_code === 404 || error.details?.status_code === 410)
  );
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
