import { afterEach, beforeEach, describe } from '@jest/globals';

import { candidatesContract } from './search-index/candidates.contract.js';
import { contentContract } from './search-index/content.contract.js';
import { fileChunksContract } from './search-index/file-chunks.contract.js';
import { generationsContract } from './search-index/generations.contract.js';
import { IndexContext, type OpenedIndex } from './search-index/index-context.js';
import { rankingContract } from './search-index/ranking.contract.js';
import { replacementContract } from './search-index/replacement.contract.js';
import { statisticsContract } from './search-index/statistics.contract.js';
import { symbolsContract } from './search-index/symbols.contract.js';
import { vectorsContract } from './search-index/vectors.contract.js';

/** The contract of every search engine. `open` returns an empty index. */
export function searchIndexContract(name: string, open: () => Promise<OpenedIndex>): void {
  describe(`search index contract: ${name}`, () => {
    const context = new IndexContext(open);
    beforeEach(() => context.open());
    afterEach(() => context.dispose());

    candidatesContract(context);
    fileChunksContract(context);
    rankingContract(context);
    vectorsContract(context);
    statisticsContract(context);
    generationsContract(context);
    replacementContract(context);
    contentContract(context);
    symbolsContract(context);
  });
}
