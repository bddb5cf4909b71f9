// ESLint rule `short-sentences`: keeps the sentences of comments at 25 words (CONTRIBUTING.md).
import { commentBlocks } from './comments.mjs';
import { longSentences, MAX_WORDS } from './sentences.mjs';

/** The rule; `plain-language.mjs` registers it. */
export const shortSentences = {
  meta: {
    type: 'suggestion',
    docs: { description: `keep sentences of comments at ${MAX_WORDS} words` },
    schema: [],
    messages: {
      long: `Split the sentence "{{start}} …": it has {{words}} words, at most ${MAX_WORDS} are allowed.`,
    },
  },
  create(context) {
    return {
      Program() {
        for (const { lines, loc } of commentBlocks(context.sourceCode.getAllComments())) {
          for (const data of longSentences(lines.join('\n'))) {
            context.report({ loc, messageId: 'long', data });
          }
        }
      },
    };
  },
};
