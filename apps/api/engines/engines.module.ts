import {
  type DynamicModule,
  type FactoryProvider,
  Module,
  type ValueProvider,
} from '@nestjs/common';

import { EVENT_STORE } from '#event-store';
import { CHAT_MODEL, createReranker, EMBEDDER, RERANKER, SENTENCE_ENCODER } from '#models';
import { BLOB_STORE, CLOCK, KEY_RING, LOGGER } from '#platform';
import { SEARCH_INDEX } from '#search-index';

import {
  type ApiDependencies,
  CONFIG,
  MCP_SERVERS,
  PACKAGE_REGISTRY,
  PROCESS_PART,
  RATE_LIMITER,
  READ_MODEL,
} from './engines.js';
import { configuredRegistries } from './package-registry.js';

/** The engines, for every module of the API. */
@Module({})
export class EnginesModule {
  static over(dependencies: ApiDependencies): DynamicModule {
    const providers: (ValueProvider | FactoryProvider)[] = [
      { provide: EVENT_STORE, useValue: dependencies.eventStore },
      { provide: READ_MODEL, useValue: dependencies.readModel },
      { provide: SEARCH_INDEX, useValue: dependencies.searchIndex },
      { provide: BLOB_STORE, useValue: dependencies.blobs },
      { provide: EMBEDDER, useValue: dependencies.embedder },
      { provide: SENTENCE_ENCODER, useValue: dependencies.sentenceEncoder ?? null },
      { provide: RERANKER, useFactory: () => createReranker(dependencies) },
      { provide: CHAT_MODEL, useValue: dependencies.chatModel },
      { provide: KEY_RING, useValue: dependencies.keyRing },
      { provide: RATE_LIMITER, useValue: dependencies.rateLimiter },
      { provide: CLOCK, useValue: dependencies.clock },
      {
        provide: PACKAGE_REGISTRY,
        useFactory: () => dependencies.packageRegistry ?? configuredRegistries(dependencies.config),
      },
      { provide: CONFIG, useValue: dependencies.config },
      { provide: MCP_SERVERS, useValue: dependencies.mcpServers ?? null },
      { provide: PROCESS_PART, useValue: dependencies.processPart ?? null },
      { provide: LOGGER, useValue: dependencies.logger },
    ];
    return {
      module: EnginesModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
