import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { MatchThreads, ReferenceThreads } from '#code-search';
import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/** Two use both cores of a small machine, where a search in one thread takes twice as long. */
const LEAST_MATCH_THREADS = 2;

/**
 * The threads of requests about code: as many as of ranked search, of those that match two or more.
 * They start when they are needed.
 */
@Injectable()
export class CodeThreadPool implements OnApplicationShutdown {
  /** Match patterns in text. */
  readonly matches: MatchThreads;
  /** Parse files for references. */
  readonly references: ReferenceThreads;

  constructor(@Inject(CONFIG) { searchThreads }: Pick<Config, 'searchThreads'>) {
    this.matches = new MatchThreads(Math.max(LEAST_MATCH_THREADS, searchThreads));
    this.references = new ReferenceThreads(searchThreads);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.matches.close(), this.references.close()]);
  }
}
