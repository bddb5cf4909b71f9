import { Inject, Injectable } from '@nestjs/common';

import type { SourceView } from '#contracts/http/index';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import { LiveSources } from './live-sources.js';

/** The share of each live source with sentence vectors, from memory. */
@Injectable()
export class RefinedShares {
  constructor(
    private readonly live: LiveSources,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
  ) {}

  /** Returns a source with its share; unchanged without an encoder, or before its first sync. */
  shown<View extends SourceView | null>(tenantId: string, source: View): View {
    const { sentences } = this.index;
    const live = source && sentences && this.live.one(tenantId, source.id);
    if (!live) return source;
    return { ...source, refined_share: sentences.share(live) };
  }
}
