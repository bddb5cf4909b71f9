import { fuseRanks } from '../../peers/fuse.js';
import { PEER_VERSIONS } from '../../peers/packages.js';
import { LEG_DEPTH, type SearchedColumns } from '../../peers/peer.js';
import { loadSqlite } from '../../peers/sqlite.peer.js';
import { placesById, type QuestionPeer, type RankedAnswer } from './question-peer.js';

const COLUMNS: readonly SearchedColumns[] = ['text column', 'three columns'];

/**
 * FTS5's words alone, by `bm25()`, and fused with the vectors of sqlite-vec, as both projects'
 * guides show it.
 */
export const sqliteQuestionPeer: QuestionPeer = {
  about: `SQLite ${process.versions.sqlite}: FTS5 (porter; stop words left out of the query; the text column alone with the default weights, or text, path and names × 3) and sqlite-vec ${PEER_VERSIONS['sqlite-vec']} (exact, float), RRF of legs of 50`,
  async open({ chunks, vectors, model }, folder) {
    const index = await (await loadSqlite(model.dimensions))(folder);
    await index.add({ source: 0, chunks, vectors });
    await index.finish();
    const places = placesById(chunks);
    return {
      ask({ text, vector }) {
        const nearest = index.legOfVectors(vector);
        const answers = new Map<string, RankedAnswer>();
        for (const columns of COLUMNS) {
          const words = index.legOfWords(text, columns);
          const ids = words.map(({ chunkId }) => chunkId);
          answers.set(`SQLite FTS5, ${columns}`, {
            places: places(ids),
            topScore: words[0]?.score ?? 0,
          });
          answers.set(`SQLite FTS5 + sqlite-vec, ${columns}, ${model.id}`, {
            places: places(fuseRanks([ids, nearest], LEG_DEPTH)),
            topScore: undefined,
          });
        }
        return Promise.resolve(answers);
      },
      close: () => index.close(),
    };
  },
};
