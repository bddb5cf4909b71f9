import { placeOf, type QuestionPeer } from './question-peer.js';
import { textbookBm25 } from './textbook-bm25.js';

const ROW = 'BM25 of a textbook';

/** A simple first attempt: lower-cased words of path and text, k1 1.2, b .75. */
export const textbookQuestionPeer: QuestionPeer = {
  about: `${ROW}: lower-cased words of path and text, no stems, no stop words, k1 1.2, b .75`,
  open({ chunks }) {
    const find = textbookBm25(chunks.map(({ path, content }) => `${path}\n${content}`));
    const places = chunks.map(placeOf);
    return Promise.resolve({
      ask({ text }) {
        const found = find(text);
        const answer = {
          places: found.flatMap(({ text: nth }) => places[nth] ?? []),
          topScore: found[0]?.score ?? 0,
        };
        return Promise.resolve(new Map([[ROW, answer]]));
      },
      close: () => Promise.resolve(),
    });
  },
};
