import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { ChatModel, ChatPart, ChatRequest } from '#models';

export interface OpenedChatModel {
  readonly model: ChatModel;
  /** Answers that the model is working on. */
  active(): number;
  dispose(): Promise<void>;
}

const QUESTION: ChatRequest = {
  instructions: 'Answer from the evidence alone.',
  history: [
    { role: 'user', text: 'Hello' },
    { role: 'assistant', text: 'Hello.' },
  ],
  question: 'which entry does the cache evict?',
  evidence: [
    { path: 'src/cache.ts', startLine: 3, content: 'evict the oldest entry of the cache' },
    { path: 'docs/api', startLine: undefined, content: 'Lists all pets.' },
  ],
};

/** The contract of every chat model. */
export function chatModelContract(name: string, open: () => Promise<OpenedChatModel>): void {
  describe(`chat model contract: ${name}`, () => {
    let opened: OpenedChatModel;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.dispose());

    async function collect(request: ChatRequest, signal?: AbortSignal): Promise<ChatPart[]> {
      const parts: ChatPart[] = [];
      for await (const part of opened.model.answer(request, signal)) parts.push(part);
      return parts;
    }
    const textOf = (parts: readonly ChatPart[]): string =>
      parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const refusal = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'no error',
        (error: unknown) => error,
      );
    async function idle(): Promise<void> {
      while (opened.active() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }

    it('has a name that stays', async () => {
      expect(opened.model.id).not.toBe('');
      const another = await open();
      expect(another.model.id).toBe(opened.model.id);
      await another.dispose();
    });

    it('streams its answer in parts that are not empty, and ends it once, last', async () => {
      const parts = await collect(QUESTION);
      expect(parts.map(({ type }) => type)).toEqual([...parts.slice(1).map(() => 'text'), 'end']);
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) if (part.type === 'text') expect(part.text).not.toBe('');
      const end = parts.at(-1);
      const usage = end?.type === 'end' ? end.usage : undefined;
      expect(usage === null || (usage !== undefined && usage.completionTokens > 0)).toBe(true);
    });

    it('cites the evidence by its number, and none that it was not given', async () => {
      const cited = [...textOf(await collect(QUESTION)).matchAll(/\[(\d+)\]/g)].map(
        ([, number]) => number,
      );
      expect(cited[0]).toBe('1');
      expect(QUESTION.evidence.map((_, at) => `${at + 1}`)).toEqual(expect.arrayContaining(cited));
      expect(textOf(await collect({ ...QUESTION, evidence: [] }))).not.toMatch(/\[\d+\]/);
    });

    it('answers several at a time, each its own', async () => {
      const alone = textOf(await collect(QUESTION));
      const without = { ...QUESTION, evidence: [] };
      const answers = await Promise.all(
        [QUESTION, without, QUESTION].map((request) => collect(request)),
      );
      expect(answers.map(textOf)).toEqual([alone, textOf(await collect(without)), alone]);
    });

    it('sends no request when its signal was aborted before', async () => {
      const signal = AbortSignal.abort(new Error('gone'));
      expect(await refusal(collect(QUESTION, signal))).toBe(signal.reason);
      expect(opened.active()).toBe(0);
    });

    it('stops in the middle with the reason it was given, and leaves nothing running', async () => {
      const stop = new AbortController();
      const answer = opened.model.answer(QUESTION, stop.signal)[Symbol.asyncIterator]();
      expect((await answer.next()).value).toMatchObject({ type: 'text' });
      stop.abort(new Error('enough'));
      const rest = async () => {
        while (!(await answer.next()).done);
      };
      expect(await refusal(rest())).toBe(stop.signal.reason);
      await idle();
    });

    it('ends with the consumer that leaves', async () => {
      for await (const part of opened.model.answer(QUESTION)) {
        expect(part.type).toBe('text');
        break;
      }
      await idle();
      expect(textOf(await collect(QUESTION))).not.toBe('');
    });
  });
}
