import { extractiveAnswer } from '#retrieval';

import type { ChatModel } from './chat-model.port.js';

/**
 * The default model: quotes the lines of the evidence that cover most of the question, each with its citation. It puts
 * nothing into other words, so it makes nothing up; where no line says anything to the question, its answer is empty.
 */
export function createExtractiveChat(): ChatModel {
  return {
    id: 'extractive-v1',
    async *answer({ question, evidence }, signal) {
      signal?.throwIfAborted();
      for (const { passage, lines } of extractiveAnswer(question, evidence)) {
        yield { type: 'text', text: `${lines.join('\n')} [${passage + 1}]\n\n` };
        signal?.throwIfAborted();
      }
      yield { type: 'end', usage: null };
    },
  };
}
