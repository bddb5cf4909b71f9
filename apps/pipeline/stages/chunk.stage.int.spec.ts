import { fileURLToPath } from 'node:url';

import { afterEach, describe, expect, it } from '@jest/globals';

import { decodeChunkPart } from '../artifacts/chunk-part.js';
import { encodeTextPart } from '../artifacts/text-part.js';
import { StuckDocumentError } from '../thread-pool/document-watch.js';
import { ThreadPool } from '../thread-pool/thread-pool.js';
import { cutPart } from './chunk.stage.js';

const grammarsDirectory = fileURLToPath(new URL('../../../grammars', import.meta.url));
const thread = new URL('../../../test/support/threads/stuck-document.worker.js', import.meta.url);
const never = new AbortController().signal;
const ids = { tenantId: 't1', sourceId: 's1' };

function part(texts: Readonly<Record<string, string>>): Uint8Array {
  const documents = Object.entries(texts).map(([path, text]) => ({
    path,
    kind: 'code' as const,
    language: 'typescript',
    text,
  }));
  return encodeTextPart(documents);
}

const LOOP = 'export class Caught {\n  // loop for ever\n}\n';

describe('cutPart', () => {
  let pool: ThreadPool | undefined;
  afterEach(() => pool?.close());

  it('cuts by lines what a grammar never comes back from, and everything else by syntax', async () => {
    pool = new ThreadPool({ size: 1, grammarsDirectory, thread, documentTimeoutMs: 1_500 });
    const bytes = part({ 'a.ts': 'export class A {}\n', 'b.ts': LOOP, 'c.ts': 'export class C {}\n', 'd.ts': LOOP });
    const output = await cutPart(pool, () => Promise.resolve(Uint8Array.from(bytes)), ids, never);
    expect(output).toMatchObject({ chunks: 4, byLines: 2 });
    const chunks = decodeChunkPart(output.bytes).map(({ path, symbol, content }) => [path, symbol, content]);
    expect(chunks).toEqual([
      ['a.ts', 'A', 'export class A {}'],
      ['b.ts', undefined, LOOP.trimEnd()],
      ['c.ts', 'C', 'export class C {}'],
      ['d.ts', undefined, LOOP.trimEnd()],
    ]);
  });

  it('gives up on a part that is full of such documents', async () => {
    const tried: number[] = [];
    const stuck = {
      run: (_: string, input: object) => {
        const { asLines = [] } = input as { readonly asLines?: readonly number[] };
        tried.push(asLines.length);
        return Promise.reject(new StuckDocumentError(asLines.length, 15_000));
      },
    };
    const cut = cutPart(stuck, () => Promise.resolve(new Uint8Array()), ids, never);
    await expect(cut).rejects.toThrow('A document took longer than 15000 ms');
    expect(tried).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
