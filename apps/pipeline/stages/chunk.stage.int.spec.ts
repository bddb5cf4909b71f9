import { fileURLToPath } from 'node:url';

import { afterEach, describe, expect, it } from '@jest/globals';

import { decodeChunkPart } from '../artifacts/chunk-part.js';
import { decodeTextPart, encodeTextPart } from '../artifacts/text-part.js';
import { StuckDocumentError } from '../thread-pool/document-watch.js';
import { ThreadPool } from '../thread-pool/thread-pool.js';
import { MOST_STUCK, partTurns, StuckDocuments } from './part-turns.js';

const grammarsDirectory = fileURLToPath(new URL('../../../grammars', import.meta.url));
const thread = new URL('../../../test/support/threads/stuck-document.worker.js', import.meta.url);
const owner = { tenantId: 't1', signal: new AbortController().signal };

function request(bytes: Uint8Array) {
  return {
    name: 'chunk',
    read: () => Promise.resolve(Uint8Array.from(bytes)),
    input: { tenantId: 't1', sourceId: 's1' },
    paths: (part: Uint8Array) => decodeTextPart(part).map(({ path }) => path),
    stuck: new StuckDocuments('https://example.com/a'),
  } as const;
}

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

describe('turns over a part', () => {
  let pool: ThreadPool | undefined;
  afterEach(() => pool?.close());

  it('cuts by lines what a grammar never comes back from, and everything else by syntax', async () => {
    pool = new ThreadPool({ size: 1, grammarsDirectory, thread, documentTimeoutMs: 1_500 });
    const bytes = part({
      'a.ts': 'export class A {}\n',
      'b.ts': LOOP,
      'c.ts': 'export class C {}\n',
      'd.ts': LOOP,
    });
    const outputs = await partTurns(pool, request(bytes), owner);
    expect(outputs.reduce((sum, { byLines }) => sum + byLines, 0)).toBe(2);
    const chunks = outputs.flatMap((output) =>
      decodeChunkPart(output.bytes).map(({ path, symbol, content }) => [path, symbol, content]),
    );
    expect(chunks).toEqual([
      ['a.ts', 'A', 'export class A {}'],
      ['b.ts', undefined, LOOP.trimEnd()],
      ['c.ts', 'C', 'export class C {}'],
      ['d.ts', undefined, LOOP.trimEnd()],
    ]);
  });

  it('goes on behind the document at which the turn before ended', async () => {
    const begun: number[] = [];
    const turns = {
      run: (_: string, input: object) => {
        const { from = 0 } = input as { readonly from?: number };
        begun.push(from);
        return Promise.resolve({ next: from < 6 ? from + 3 : null } as never);
      },
    };
    expect(await partTurns(turns, request(part({})), owner)).toHaveLength(3);
    expect(begun).toEqual([0, 3, 6]);
  });

  it('fails a source for good whose documents are stuck again and again, and says which and what to do', async () => {
    const tried: number[] = [];
    const stuck = {
      run: (_: string, input: object) => {
        const caught = (input as { readonly stuck: readonly number[] }).stuck.length;
        tried.push(caught);
        return Promise.reject(new StuckDocumentError(caught, 15_000));
      },
    };
    const bytes = part(
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}.ts`, LOOP])),
    );
    await expect(partTurns(stuck, request(bytes), owner)).rejects.toMatchObject({
      message:
        'More than 8 documents took longer than 15 s each to read, f8.ts the last of them; ' +
        'leave such documents out with exclude_patterns',
      retryable: false,
    });
    expect(tried).toEqual(Array.from({ length: MOST_STUCK + 1 }, (_, at) => at));
  });
});
