import { Inject, Injectable } from '@nestjs/common';

import { isFootnoteError } from '#contracts';
import type { PackageMention } from '#contracts/http/index';
import { type Config, isTimeoutError, LOGGER, type Logger, withTimeout } from '#platform';

import type { Caller } from '../../auth/caller.js';
import { CONFIG } from '../../engines/engines.js';
import { PackageProvider, type ProvidedPackage } from '../../packages/package-provider.js';

/** The packages that a question mentions, as far as they could be had. */
export interface Mentioned {
  readonly packageIds: readonly string[];
  /** The sources of their content. */
  readonly sourceIds: readonly string[];
  /** One sentence for each that could not be had in time. */
  readonly notices: readonly string[];
}

export const NOTHING_MENTIONED: Mentioned = Object.freeze({
  packageIds: [],
  sourceIds: [],
  notices: [],
});

/**
 * Makes the packages that a question mentions searchable, all at once and within one budget. A
 * package that is not ready by then is reported and costs the answer nothing more; its indexing
 * continues for the next question.
 */
@Injectable()
export class MentionedPackages {
  constructor(
    private readonly packages: PackageProvider,
    @Inject(CONFIG) private readonly config: Pick<Config, 'chatPackageSeconds'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never fails, and takes no longer than its budget. */
  async fetch(caller: Caller, mentions: readonly PackageMention[] = []): Promise<Mentioned> {
    if (mentions.length === 0) return NOTHING_MENTIONED;
    const distinct = new Map(
      mentions.map((mention) => [`${mention.ecosystem}:${mention.package_name}`, mention]),
    );
    const all = await Promise.all(
      [...distinct.values()].map((mention) => this.one(caller, mention)),
    );
    const had = all.filter((each) => typeof each !== 'string');
    return {
      packageIds: had.map(({ packageId }) => packageId),
      sourceIds: had.map(({ sourceId }) => sourceId),
      notices: all.filter((each) => typeof each === 'string'),
    };
  }

  private async one(caller: Caller, mention: PackageMention): Promise<ProvidedPackage | string> {
    const { package_name: name, ecosystem } = mention;
    const budgetMs = this.config.chatPackageSeconds * 1_000;
    try {
      return await withTimeout(
        this.packages.ensureIndexed(caller, { ecosystem, name }, budgetMs),
        budgetMs,
        'Not in time',
      );
    } catch (error) {
      return `${name} (${ecosystem}) was not looked in: ${this.reason(error)}`;
    }
  }

  private reason(error: unknown): string {
    if (isTimeoutError(error) || isFootnoteError(error, 'package_timeout')) {
      return `it was not indexed within ${this.config.chatPackageSeconds} s; ask again shortly.`;
    }
    if (isFootnoteError(error)) return error.message.replace(/[^.!?]$/, '$&.');
    this.logger.warn(
      { err: error },
      'mentioned packages: indexing a package failed; answering without it',
    );
    return 'it could not be had.';
  }
}
