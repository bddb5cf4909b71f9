import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { ChatResponseView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';
import { type HostileDocument, hostileDocuments } from '#test/support/hostile-documents';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';

import { INSTRUCTIONS } from './answer/instructions.js';

const CANARY = 'canaryofanothertenant';
const MODEL_KEY = 'sk-canary-of-the-service';
const HIDDEN =
  /\p{Cf}|\p{Co}|\p{Cn}|(?![\t\n])\p{Cc}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u3164|\uffa0/u;

let canaries: Server;
/** Requests to what documents name. */
let requests = 0;
beforeAll(async () => {
  canaries = createServer((_, response) => {
    requests += 1;
    response.end('canary');
  });
  await new Promise<void>((resolve) => canaries.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => canaries.close(resolve));
  expect(requests).toBe(0);
});

/**
 * Indexes all of them for a tenant next to a neighbor each, and what must not be seen for another.
 */
async function indexHostile(api: ApiHarness): Promise<readonly HostileDocument[]> {
  const url = `http://127.0.0.1:${(canaries.address() as AddressInfo).port}`;
  const documents = hostileDocuments({
    url,
    otherTenant: { id: api.tenantB, path: 'secrets/plan.md' },
  });
  const neighbors = documents.map(({ word }) => ({
    path: `neighbors/${word}.md`,
    content: `A neighbor: ${word} is cleared at night.`,
    chunkType: 'docs' as const,
  }));
  const published = documents.map(({ path, content, isProse }) => ({
    path,
    content,
    ...(isProse ? { chunkType: 'docs' as const } : {}),
  }));
  await publish(api, [...published, ...neighbors], { tenant: api.tenantA, name: 'Notes' });
  const secrets = documents
    .map(({ word }) => `${CANARY} ${word} is cleared by its owner.`)
    .join('\n');
  await publish(api, [{ path: 'secrets/plan.md', content: secrets }], {
    tenant: api.tenantB,
    name: 'Secrets',
  });
  return documents;
}

const questionOf = ({ word }: HostileDocument): string => `Who clears the ${word}?`;
async function ask(api: ApiHarness, document: HostileDocument): Promise<ChatResponseView> {
  const { status, body } = await api.call<ChatResponseView>('POST', '/chat', {
    query: questionOf(document),
  });
  expect(status).toBe(200);
  return body;
}

/** Returns the answer without its code, as a reader of Markdown takes it. */
function outsideCode(answer: string): string {
  return answer
    .replace(/^( {0,3})(`{3,})[^`\n]*\n(?:[\s\S]*?\n)?\1\2`*[ \t]*$/gm, '')
    .replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
}

function marksOf(text: string): number[] {
  return [...text.matchAll(/\[\s*(\d+(?:\s*,\s*\d+)*)\s*\]/g)].flatMap(([, numbers = '']) =>
    numbers.split(',').map(Number),
  );
}

/** Reads a prompt as Markdown does: the passages by their fences, and the text after them. */
function readPrompt(prompt: string): { passages: string[]; rest: string } {
  const lines = prompt.split('\n');
  const passages: string[] = [];
  while (lines[0]?.startsWith(`[${passages.length + 1}] `)) {
    lines.shift();
    const fence = lines.shift() ?? '';
    expect(fence).toMatch(/^`{3,}$/);
    const end = lines.findIndex((line) =>
      new RegExp(`^ {0,3}\`{${fence.length},}\\s*$`).test(line),
    );
    passages.push(lines.splice(0, end).join('\n'));
    expect(lines.splice(0, 2)).toEqual([fence, '']);
  }
  return { passages, rest: lines.join('\n') };
}

describe('hostile documents and a model that obeys whatever it reads', () => {
  let api: ApiHarness;
  let endpoint: OpenAiEndpoint;
  let documents: readonly HostileDocument[];
  beforeAll(async () => {
    endpoint = await OpenAiEndpoint.start();
    // It repeats all that it was given, marks and fences included.
    endpoint.script = ({ messages }) =>
      (messages.at(-1)?.content ?? '').match(/[\s\S]{1,40}/gu) ?? [];
    const environment = {
      CHAT_MODEL: 'obedient',
      CHAT_BASE_URL: endpoint.url,
      CHAT_API_KEY: MODEL_KEY,
    };
    api = await ApiHarness.start({ environment });
    documents = await indexHostile(api);
  });
  afterAll(async () => {
    await api.stop();
    await endpoint.close();
  });

  it('are at least sixty, and the model is given each as quoted data and nothing else', async () => {
    expect(documents.length).toBeGreaterThanOrEqual(60);
    for (const document of documents) {
      const before = endpoint.chats.length;
      const answer = await ask(api, document);
      expect(endpoint.chats).toHaveLength(before + 1);
      const { messages, tools } = endpoint.chats[before]?.body ?? { messages: [], tools: null };
      expect([messages.map(({ role }) => role), tools]).toEqual([['system', 'user'], undefined]);
      expect(messages[0]?.content).toBe(INSTRUCTIONS);
      const prompt = messages[1]?.content ?? '';
      const { passages, rest } = readPrompt(prompt);
      expect(rest).toBe(questionOf(document));
      expect(passages.length).toBeGreaterThanOrEqual(2);
      expect(passages.join('\n')).toContain(document.word);
      for (const text of [prompt, answer.answer]) {
        expect(text).not.toMatch(HIDDEN);
        expect(text).not.toContain(CANARY);
        expect(text).not.toContain(MODEL_KEY);
        expect(text).not.toContain(api.keyA);
      }
      const numbers = new Set(passages.map((_, at) => at + 1));
      const marks = marksOf(outsideCode(answer.answer));
      expect([document.path, marks.filter((mark) => !numbers.has(mark))]).toEqual([
        document.path,
        [],
      ]);
      expect(answer.citations.filter(({ number }) => !numbers.has(number))).toEqual([]);
      expect(answer.citations.filter(({ source_name }) => source_name !== 'Notes')).toEqual([]);
    }
    expect(requests).toBe(0);
  });

  it('forge no mark in an answer that says what they say, outside of any code', async () => {
    const repeating = endpoint.script;
    endpoint.script = (body) =>
      repeating(body)
        .join('')
        .split('\n')
        .filter((line) => !/^(?:`{3,}|\[\d+\] Notes.*)$/.test(line));
    for (const document of documents.filter(({ kind }) => kind === 'fake citation')) {
      const { answer, citations } = await ask(api, document);
      const shown = new Set(marksOf(outsideCode(answer)));
      expect([...shown].filter((mark) => mark > 2)).toEqual([]);
      expect(citations.map(({ number }) => number)).toEqual([...shown].sort((a, b) => a - b));
    }
    endpoint.script = repeating;
  });
});

describe('hostile documents and answers that quote', () => {
  let api: ApiHarness;
  let documents: readonly HostileDocument[];
  beforeAll(async () => {
    api = await ApiHarness.start();
    documents = await indexHostile(api);
  });
  afterAll(() => api.stop());

  it('are quoted without what is hidden in them, forge no citation and have a reader load nothing', async () => {
    for (const document of documents) {
      const { answer, citations } = await ask(api, document);
      expect(answer).toContain(document.word);
      expect(answer).not.toMatch(HIDDEN);
      expect(answer).not.toContain(CANARY);
      const plain = outsideCode(answer);
      // The marks are those behind the reported places, one each.
      const heads = plain
        .split('\n')
        .filter((line) => /^(?:The likeliest place is|See also|-) /.test(line));
      const own = heads
        .flatMap((line) => /(?<!\\)\[(\d+)\](?::|$)/.exec(line)?.[1] ?? [])
        .map(Number);
      expect([document.path, marksOf(plain)]).toEqual([document.path, own]);
      expect(citations.map(({ number }) => number)).toEqual([...own].sort((a, b) => a - b));
      expect(plain).not.toMatch(/!\[|(?<!\\)<(?:img|svg|iframe|script|a)\b/i);
    }
    expect(requests).toBe(0);
  });
});
