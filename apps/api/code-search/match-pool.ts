import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { MatchThreads } from '#code-search';
import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/** The threads of code searches, as many as of ranked search; they start when needed. */
@Injectable()
export class MatchPool implements OnApplicationShutdown {
  readonly threads: MatchThreads;

  constructor(@Inject(CONFIG) config: Pick<Config, 'searchThreads'>) {
    this.threads = new MatchThreads(config.searchThreads);
  }

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }
}
