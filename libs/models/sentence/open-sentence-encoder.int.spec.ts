import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { ConfigError, silentLogger } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { openSentenceEncoder, passageText } from './open-sentence-encoder.js';
import type { SentenceEncoder } from './sentence-encoder.port.js';

const BUILD = '00000000-0000-4000-8000-000000000000';
/**
 * A runtime whose tokens are the lengths of the words between a first (1) and a last (2) token. The
 * vector of the first token has the number of tokens and the sum of all; further vectors follow.
 */
const RUNTIME = {
  'onnxruntime-node': `
    class Tensor { constructor(type, data, dims) { Object.assign(this, { data, dims }); } }
    const InferenceSession = { create: async () => ({
      inputNames: ['input_ids', 'attention_mask'],
      outputNames: ['hidden'],
      run: async (feeds) => {
        if (feeds.token_type_ids) throw new Error('unknown input');
        const ids = Array.from(feeds.input_ids.data, Number);
        if (ids.includes(77)) process.exit(1);
        const data = new Float32Array(384 * ids.length).fill(9, 384);
        data[0] = ids.length;
        data[1] = ids.reduce((sum, id) => sum + id, 0);
        return { hidden: { data, dims: [1, ids.length, 384] } };
      },
    }) };
    module.exports = { Tensor, InferenceSession };`,
  '@huggingface/tokenizers': `
    class Tokenizer {
      encode(text) {
        return { ids: [1, ...text.split(/\\s+/).filter(Boolean).map((word) => word.length), 2] };
      }
    }
    module.exports = { Tokenizer };`,
};

describe('openSentenceEncoder', () => {
  let folder: ReturnType<typeof tempDir>;
  let encoder: SentenceEncoder | null;

  beforeEach(() => {
    folder = tempDir();
    encoder = null;
  });
  afterEach(async () => {
    await encoder?.close();
    folder.remove();
  });

  function write(path: string, content: string): void {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  function install(model = 'bge-small-en-v1.5'): void {
    const build = `builds/${BUILD}`;
    write('installed.json', JSON.stringify({ model, build: BUILD }));
    write(`${build}/model.onnx`, '');
    write(`${build}/tokenizer.json`, '{}');
    write(`${build}/runtime/package.json`, '{}');
    for (const [name, code] of Object.entries(RUNTIME))
      write(`${build}/runtime/node_modules/${name}/index.js`, code);
  }

  async function open(): Promise<SentenceEncoder> {
    encoder = await openSentenceEncoder(folder.path, silentLogger);
    if (!encoder) throw new Error('no encoder is installed');
    return encoder;
  }

  /** Returns the first two numbers of a vector in proportion to tokens. */
  const tokensAndSum = ([tokens = 0, sum = 0]: Float32Array, tokenCount: number) => [
    tokenCount,
    Math.round((sum / tokens) * tokenCount),
  ];

  it('returns null if nothing is installed', async () => {
    expect(await openSentenceEncoder(folder.path, silentLogger)).toBeNull();
  });

  it('returns the normalized vector of the first token, also for a query with its prefix', async () => {
    install();
    const opened = await open();
    const passage = await opened.embedPassage({ path: 'a.ts', defs: [], content: 'one three' });
    expect(passage).toHaveLength(384);
    expect(Math.hypot(...passage)).toBeCloseTo(1, 5);
    // 1, a.ts, one, three, 2.
    expect(tokensAndSum(passage, 5)).toEqual([5, 1 + 4 + 3 + 5 + 2]);
    const query = await opened.embedQuery('one');
    // 1, the seven words of the prefix, one, 2.
    expect(tokensAndSum(query, 10)).toEqual([10, 1 + 50 + 3 + 2]);
  });

  it('returns the mean of all tokens with the prefixes of a model that wants them', async () => {
    install('e5-small-v2');
    const opened = await open();
    const passage = await opened.embedPassage({ path: 'a.ts', defs: [], content: 'one' });
    expect(Math.hypot(...passage)).toBeCloseTo(1, 5);
    // 1, passage:, a.ts, one, 2; each further token adds 9 to each number.
    const [tokens = 0, sum = 0, other = 0] = passage;
    expect([tokens, sum].map((value) => Math.round((36 * value) / other))).toEqual([
      5 + 36,
      1 + 8 + 4 + 3 + 2 + 36,
    ]);
    const [count = 0, , rest = 0] = await opened.embedQuery('one');
    // 1, query:, one, 2.
    expect(Math.round((27 * count) / rest)).toBe(4 + 27);
  });

  it('cuts a passage to 96 tokens and keeps the last one', async () => {
    install();
    const content = Array<string>(300).fill('abc').join(' ');
    const passage = await (await open()).embedPassage({ path: 'abc', defs: [], content });
    expect(tokensAndSum(passage, 96)).toEqual([96, 1 + 94 * 3 + 2]);
  });

  it('answers after its thread died', async () => {
    install();
    const opened = await open();
    const dying = { path: 'a.ts', defs: [], content: 'x'.repeat(77) };
    await expect(opened.embedPassage(dying)).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(await opened.embedPassage({ ...dying, content: 'one' })).toHaveLength(384);
  });

  it('rejects an installation with missing files, an unknown model or a damaged record', async () => {
    write('installed.json', JSON.stringify({ model: 'bge-small-en-v1.5', build: BUILD }));
    await expect(open()).rejects.toThrow(ConfigError);
    install('unknown');
    await expect(open()).rejects.toThrow('must name a known model');
    write('installed.json', '{');
    await expect(open()).rejects.toThrow('is damaged');
  });
});

describe('passageText', () => {
  it('is path, symbol or defined names, then the text, cut to 1,200 characters', () => {
    const input = { path: 'a.ts', defs: ['one', 'two'], content: 'text' };
    expect(passageText({ ...input, symbol: 'Class.method' })).toBe('a.ts\nClass.method\ntext');
    expect(passageText(input)).toBe('a.ts\none two\ntext');
    expect(passageText({ ...input, defs: [] })).toBe('a.ts\ntext');
    expect(passageText({ ...input, content: 'x'.repeat(2_000) })).toHaveLength(1_200);
  });
});
