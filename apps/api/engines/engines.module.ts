import { Module, type DynamicModule, type ValueProvider } from '@nestjs/common';

import { EVENT_STORE } from '#event-store';
import { EMBEDDER } from '#models';
import { CLOCK, KEY_RING, LOGGER } from '#platform';
import { SEARCH_INDEX } from '#search-index';

import { CONFIG, READ_MODEL, type ApiEngines } from './engines.js';

/** The engines, for every module of the API. */
@Module({})
export class EnginesModule {
  static over(engines: ApiEngines): DynamicModule {
    const providers: ValueProvider[] = [
      { provide: EVENT_STORE, useValue: engines.eventStore },
      { provide: READ_MODEL, useValue: engines.readModel },
      { provide: SEARCH_INDEX, useValue: engines.searchIndex },
      { provide: EMBEDDER, useValue: engines.embedder },
      { provide: KEY_RING, useValue: engines.keyRing },
      { provide: CLOCK, useValue: engines.clock },
      { provide: CONFIG, useValue: engines.config },
      { provide: LOGGER, useValue: engines.logger },
    ];
    return { module: EnginesModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
