import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type Ecosystem, FootnoteError, isFootnoteError } from '#contracts';
import type { PackageQuery, PackageRegistry, ResolvedPackage } from '#ingest';
import { CLOCK, type Clock, type Config } from '#platform';

import { CONFIG, PACKAGE_REGISTRY } from '../engines/engines.js';
import { asPackageError } from './package-problem.js';

/** A requested release, as typed. */
export interface AskedRelease {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Exact; absent: the latest. */
  readonly version?: string | undefined;
}

const MAX_KNOWN = 10_000;
/** A release never changes, what is said against it may. */
const EXACT_MS = 3_600_000;
/** While its registry is away, what it said last is taken for so long. */
const STALE_MS = 24 * 3_600_000;

interface Known {
  readonly resolved: ResolvedPackage;
  /** By the monotonic clock. */
  readonly askedAt: number;
}

/**
 * Registry data of releases, requested again after a time, and once for all requests of the same
 * moment.
 */
@Injectable()
export class PackageResolutions {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  private readonly asking = new Map<string, Promise<ResolvedPackage>>();

  constructor(
    @Inject(PACKAGE_REGISTRY) private readonly registry: PackageRegistry,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Within the time of a search.
   * @throws FootnoteError `package_refused`, `package_not_found`, `package_version_not_found`,
   * `registry_not_configured`, `registry_unavailable`, `registry_timeout`.
   */
  async of(tenantId: string, asked: AskedRelease): Promise<ResolvedPackage> {
    const { ecosystem, name, version } = asked;
    // Data of a tenant's own registry belongs to that tenant alone.
    const key = JSON.stringify([tenantId, ecosystem, name, version ?? null]);
    const known = this.known.get(key);
    const freshMs =
      version === undefined ? this.config.packageSearch.latestSeconds * 1_000 : EXACT_MS;
    if (known && this.age(known) < freshMs) return known.resolved;
    try {
      return await (this.asking.get(key) ?? this.ask(key, tenantId, asked));
    } catch (error) {
      if (known && this.age(known) < STALE_MS && isAway(error)) return known.resolved;
      throw error;
    }
  }

  private ask(key: string, tenantId: string, asked: AskedRelease): Promise<ResolvedPackage> {
    const asking = this.within(this.config.packageSearch.searchSeconds * 1_000, {
      tenantId,
      ...asked,
    })
      .then((resolved) => {
        this.known.set(key, { resolved, askedAt: this.clock.monotonic() });
        return resolved;
      })
      .finally(() => this.asking.delete(key));
    this.asking.set(key, asking);
    return asking;
  }

  private async within(milliseconds: number, query: PackageQuery): Promise<ResolvedPackage> {
    const signal = AbortSignal.timeout(milliseconds);
    try {
      return await this.registry.resolve(query, signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw asPackageError(error);
      throw new FootnoteError('registry_timeout', 'The registry did not answer in time', {
        cause: error,
      });
    }
  }

  private age({ askedAt }: Known): number {
    return this.clock.monotonic() - askedAt;
  }
}

/** Returns whether the registry was unavailable: its answer is unknown. */
export function isAway(error: unknown): boolean {
  return AWAY.some((code) => isFootnoteError(error, code));
}

/** A registry that is not configured any more leaves what was indexed from it searchable. */
const AWAY = ['registry_unavailable', 'registry_timeout', 'registry_not_configured'] as const;
