import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { ReferenceThreads } from '#code-search';
import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/** The threads that parse files for references, as many as of search; they start when needed. */
@Injectable()
export class ReferencePool implements OnApplicationShutdown {
  readonly threads: ReferenceThreads;

  constructor(@Inject(CONFIG) config: Pick<Config, 'searchThreads'>) {
    this.threads = new ReferenceThreads(config.searchThreads);
  }

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }
}
