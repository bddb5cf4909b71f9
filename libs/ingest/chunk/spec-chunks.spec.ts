import { describe, expect, it } from '@jest/globals';

import { encodeSpecPart, parseSpecPart, type RenderedPart } from '../openapi/rendered-part.js';
import { specChunks } from './spec-chunks.js';

function chunksOf(part: Partial<RenderedPart>) {
  const bytes = encodeSpecPart({
    pointer: '#/paths/~1a/get',
    symbol: 'getA',
    defs: ['getA', 'GET /a'],
    texts: [],
    ...part,
  });
  const parsed = parseSpecPart({ path: 'https://x.example/a.json', kind: 'openapi', bytes });
  if ('skipped' in parsed) throw new Error('a part is never left out');
  return specChunks(parsed.text);
}

describe('the chunks of a part of a specification', () => {
  it('are its texts with its names, the looked-up ones on the first alone', () => {
    const chunks = chunksOf({
      texts: ['# GET /a\nOne', '# GET /a\nTwo\0'],
      endpoint_key: 'GET /a',
      schema_hash: 'h',
    });
    const common = {
      symbol: 'getA',
      chunk_type: 'openapi',
      language: 'openapi',
      endpoint_key: 'GET /a',
      schema_hash: 'h',
    };
    expect(chunks).toMatchObject([
      { ...common, ordinal: 0, content: '# GET /a\nOne', defs: ['getA', 'GET /a'], token_count: 6 },
      { ...common, ordinal: 1, content: '# GET /a\nTwo', defs: [] },
    ]);
    expect(chunksOf({ texts: ['x'] })[0]).not.toHaveProperty('endpoint_key');
  });

  it('never have more than 800 tokens, and keep their title where they are cut', () => {
    const lines = Array.from(
      { length: 60 },
      (_, at) => `- \`${at}\` (one of 1, 2, 3, 5, 8, 13, 21, 34, 55, 89): ~!@#%^&*`,
    );
    const chunks = chunksOf({
      texts: [['# GET /a', ...lines].join('\n'), `# GET /b\n${'~!@#%^&*('.repeat(600)}`],
    });
    expect(chunks.length).toBeGreaterThan(3);
    for (const { content, token_count: tokens } of chunks) {
      expect(content).toMatch(/^# GET \/[ab]\n/);
      expect(tokens).toBeLessThanOrEqual(800);
    }
    const all = chunks.map(({ content }) => content).join('\n');
    for (const line of lines) expect(all).toContain(line);
  });
});
