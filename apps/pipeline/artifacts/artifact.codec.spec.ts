import { zstdCompressSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';

import type { SourceChunk } from '#contracts';

import { decodeArtifact, encodeArtifact } from './artifact.codec.js';
import { decodeChunkPart, encodeChunkPart } from './chunk-part.js';
import { decodeRawPart, encodeRawPart } from './raw-part.js';
import { decodeTextPart, encodeTextPart } from './text-part.js';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('stage artifacts', () => {
  it('return header and sections, empty ones included', () => {
    const sections = [bytes(1, 2, 3), bytes(), bytes(0, 255)];
    const decoded = decodeArtifact<{ name: string }>(encodeArtifact({ name: 'é' }, sections));
    expect(decoded.header).toEqual({ name: 'é' });
    expect(decoded.sections.map((section) => [...section])).toEqual([[1, 2, 3], [], [0, 255]]);
  });

  it('are the same bytes for the same content', () => {
    expect(encodeArtifact({ a: 1 }, [bytes(1)])).toEqual(encodeArtifact({ a: 1 }, [bytes(1)]));
  });

  it('refuse bytes of something else and of another format', () => {
    expect(() => decodeArtifact(bytes(1, 2, 3))).toThrow('Not a stage artifact');
    expect(() => decodeArtifact(Buffer.from('{"json": "of some other kind"}'))).toThrow(
      'Not a stage artifact',
    );
    const newer = encodeArtifact({});
    newer[4] = 3;
    expect(() => decodeArtifact(newer)).toThrow('format 3');
  });

  it('are not compressed on request, and read as they were', () => {
    const section = new Uint8Array(128 * 1024);
    const encoded = encodeArtifact({ a: 1 }, [section], { compressFrom: Infinity });
    expect(encoded.byteLength).toBeGreaterThan(section.byteLength);
    expect(decodeArtifact(encoded).sections[0]?.byteLength).toBe(section.byteLength);
  });

  it.each([1, 64 * 1024, 1024 * 1024])('of %i bytes and more are read as they were', (size) => {
    const section = new Uint8Array(size).map((_, at) => at % 7);
    const encoded = encodeArtifact({ a: 1 }, [section]);
    expect(Buffer.from(decodeArtifact(encoded).sections[0] ?? []).equals(section)).toBe(true);
    expect(encoded.byteLength < size).toBe(size >= 64 * 1024);
  });

  it('of an earlier version, which compressed small ones too, are read', () => {
    const head = Buffer.from(JSON.stringify({ header: 'é', lengths: [2] }));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(head.length);
    const preamble = Buffer.from('FNRT\x01\0\0\0', 'latin1');
    const body = zstdCompressSync(Buffer.concat([size, head, bytes(1, 2)]));
    const { header, sections } = decodeArtifact(Buffer.concat([preamble, body]));
    expect([header, [...(sections[0] ?? [])]]).toEqual(['é', [1, 2]]);
  });

  it('of a job that was under way before an upgrade are read on', () => {
    const raw = encodeArtifact([{ path: 'a', version: 'v', named: true }], [bytes(1)]);
    expect(decodeRawPart(raw)).toEqual([
      { path: 'a', kind: 'file', named: true, bytes: Buffer.of(1) },
    ]);
    const text = encodeArtifact(
      [{ path: 'a', version: 'v', kind: 'code', language: 'go' }],
      [Buffer.from('x')],
    );
    expect(decodeTextPart(text)).toMatchObject([
      { path: 'a', kind: 'code', language: 'go', text: 'x' },
    ]);
  });

  it('carry files, documents and chunks unchanged', () => {
    const raw = [
      { path: 'a', kind: 'file' as const, bytes: bytes(0, 1, 255) },
      { path: 'b', kind: 'page' as const, bytes: bytes(), named: true as const },
    ];
    expect(
      decodeRawPart(encodeRawPart(raw)).map((file) => ({ ...file, bytes: bytes(...file.bytes) })),
    ).toEqual(raw);
    const text = [
      { path: 'a.md', kind: 'prose' as const, language: 'markdown', text: 'é\r\n👋 \uFEFF' },
      {
        path: 'b',
        kind: 'page' as const,
        language: 'markdown',
        text: '# B',
        marks: [{ row: 0, fragment: '#b' }],
      },
      {
        path: 'c',
        kind: 'page' as const,
        language: 'markdown',
        text: 'C',
        headings: [{ row: 0, level: 1, title: 'C' }],
      },
    ];
    expect(decodeTextPart(encodeTextPart(text))).toEqual(text);
    const chunk: SourceChunk = {
      chunk_id: 'c1',
      path: 'a.ts',
      ordinal: 0,
      content: 'const é = "👋";',
      content_hash: 'h',
      token_count: 5,
      start_line: 1,
      end_line: 1,
      defs: ['é'],
      chunk_type: 'code',
      language: 'typescript',
    };
    expect(
      decodeChunkPart(encodeChunkPart([chunk, { ...chunk, ordinal: 1, content: '' }])),
    ).toEqual([chunk, { ...chunk, ordinal: 1, content: '' }]);
  });
});
