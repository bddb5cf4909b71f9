import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { writeCorpus } from '../peers/corpus.js';
import { installPeers } from '../peers/packages.js';
import { PEERS } from '../peers/peers.js';
import { runPeer } from '../peers/run-peer.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

/**
 * Compares Footnote's engine with common alternatives: the same chunks, the same vectors, one
 * process each, one after the other.
 */
export const peersScenario: Scenario = {
  name: 'peers',
  async run({ repositories, scratch, say, note }: BenchContext): Promise<readonly Figure[]> {
    await installPeers(say);
    const corpus = join(scratch, 'corpus');
    mkdirSync(corpus);
    say('chunking and embedding');
    const { chunks, sources, characters } = await writeCorpus(repositories, corpus);
    note(
      'chunks',
      `${chunks} of ${Math.round(characters / chunks)} characters, sources of ${sources.join(', ')}`,
    );
    const figures: Figure[] = [];
    for (const peer of PEERS) {
      say(peer.name);
      note(peer.name, peer.about);
      figures.push(...(await runPeer(peer, corpus, scratch)));
    }
    return figures;
  },
};
