import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { MatchThreads, ReferenceThreads } from '#code-search';
import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/**
 * The threads of requests about code: of each kind as many as of ranked search, started when they
 * are needed.
 */
@Injectable()
export class CodeThreadPool implements OnApplicationShutdown {
  /** Match patterns in text. */
  readonly matches: MatchThreads;
  /** Parse files for references. */
  readonly references: ReferenceThreads;

  constructor(@Inject(CONFIG) { searchThreads }: Pick<Config, 'searchThreads'>) {
    this.matches = new MatchThreads(searchThreads);
    this.references = new ReferenceThreads(searchThreads);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.matches.close(), this.references.close()]);
  }
}
