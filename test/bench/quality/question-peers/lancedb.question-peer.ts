import { loadLance } from '../../peers/lancedb.peer.js';
import { PEER_VERSIONS } from '../../peers/packages.js';
import type { SearchedColumns } from '../../peers/peer.js';
import {
  placesById,
  type QuestionPeer,
  type RankedAnswer,
  type RankedAnswers,
} from './question-peer.js';

const COLUMNS: readonly SearchedColumns[] = ['text column', 'three columns'];

/**
 * LanceDB's own hybrid query with its RRF reranker: as its guide shows it, and with columns for
 * path and names as well.
 */
export const lanceQuestionPeer: QuestionPeer = {
  about: `LanceDB: @lancedb/lancedb ${PEER_VERSIONS['@lancedb/lancedb']}, hybrid query with RRFReranker, legs of 50, stemmed, stop words left out, exact vectors by cosine; text column: the chunk's text, as in its guide; three columns: text, path and names, of which the best counts`,
  async open({ chunks, vectors, model }, folder) {
    const index = await (await loadLance(model.dimensions, false))(folder);
    await index.add({ source: 0, chunks, vectors });
    await index.finish();
    const places = placesById(chunks);
    return {
      async ask(question): Promise<RankedAnswers> {
        const answers = new Map<string, RankedAnswer>();
        for (const columns of COLUMNS) {
          const ids = await index.searchHybrid(question, columns);
          answers.set(`LanceDB hybrid, ${columns}, ${model.id}`, {
            places: places(ids),
            topScore: undefined,
          });
        }
        return answers;
      },
      close: () => index.close(),
    };
  },
};
