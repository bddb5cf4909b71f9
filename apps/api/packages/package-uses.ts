import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { ResolvedPackage } from '#ingest';
import { CLOCK, type Clock, LOGGER, type Logger } from '#platform';

import { PackageContent } from './package-content.js';

const MAX_KNOWN = 20_000;
const HOUR_MS = 3_600_000;

/**
 * Notes that packages are used, in the background and about once an hour each: what was used last
 * is dropped last. A use that is not noted, because the log is away or the process ends, is noted
 * by a later one.
 */
@Injectable()
export class PackageUses {
  /** Time when this process last recorded a use, by the monotonic clock. */
  private readonly noted = new LRUCache<string, number>({ max: MAX_KNOWN });

  constructor(
    private readonly content: PackageContent,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Costs no more than a look into memory. */
  note(packageId: string, resolved: ResolvedPackage, requestId: string): void {
    const now = this.clock.monotonic();
    if (now - (this.noted.get(packageId) ?? -Infinity) < HOUR_MS) return;
    this.noted.set(packageId, now);
    this.content.hold(resolved, { requestId, always: false }).catch((error: unknown) => {
      this.noted.delete(packageId);
      this.logger.warn(
        { err: error, package_id: packageId },
        'package uses: recording a use failed; retrying at the next use',
      );
    });
  }
}
