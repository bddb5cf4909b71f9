import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { createHashEmbedder } from '#models';

import { encodeRawPart } from '../../artifacts/raw-part.js';
import { ThreadPool } from '../thread-pool.js';

const grammarsDirectory = fileURLToPath(new URL('../../../../grammars', import.meta.url));
const owner = { tenantId: 't1', signal: new AbortController().signal };
const ids = { tenantId: 't1', sourceId: 's1' };

describe('the preparation of a part', () => {
  let pool: ThreadPool;
  beforeEach(() => {
    pool = new ThreadPool({ size: 1, grammarsDirectory });
  });
  afterEach(() => pool.close());

  it('has the results of parse, chunk and analyze, byte for byte', async () => {
    const { id, file } = createHashEmbedder();
    const model = { id, file };
    const texts = { 'a.ts': 'export class A {}\n', 'b.md': '# B\n\nWords.\n', 'c.txt': 'a\u0000b' };
    const raw = () =>
      encodeRawPart(
        Object.entries(texts).map(([path, text]) => ({
          path,
          kind: 'file' as const,
          bytes: Buffer.from(text),
        })),
      );
    const parsed = await pool.run('parse', { bytes: raw() }, owner);
    const textSize = parsed.bytes.byteLength;
    const cut = await pool.run('chunk', { bytes: parsed.bytes, ...ids }, owner);
    const chunkSize = cut.bytes.byteLength;
    const analyzed = await pool.run('analyze', { bytes: cut.bytes, model }, owner);
    const prepared = await pool.run('prepare', { bytes: raw(), ...ids, model }, owner);
    expect(prepared?.parse).toEqual({
      parsed: 2,
      skipped: [{ path: 'c.txt', reason: 'binary' }],
      redacted: {},
      size: textSize,
    });
    expect(prepared?.chunk).toEqual({ chunks: cut.chunks, byLines: 0, size: chunkSize });
    expect(Buffer.from(prepared?.bytes ?? []).equals(Buffer.from(analyzed.bytes))).toBe(true);
  });
});
