import { Writable } from 'node:stream';

import { describe, expect, it } from '@jest/globals';

import { Terminal } from './terminal.js';

interface Row {
  readonly name: string;
  readonly actor: object | null;
}

function recording() {
  const written: string[] = [];
  const stdout = new Writable({
    write: (chunk, _, done) => {
      written.push(String(chunk));
      done();
    },
  });
  return { written, terminal: new Terminal({ stdout, stderr: stdout }, true) };
}

describe('a list on a terminal', () => {
  it('aligns the columns, and shows an object by its name', async () => {
    const { written, terminal } = recording();
    async function* rows(): AsyncGenerator<Row> {
      yield { name: 'a', actor: { type: 'api_key', name: 'First key' } };
      yield { name: 'longer', actor: null };
    }
    await terminal.list(rows(), ['name', 'actor']);
    expect(written.join('')).toBe('a       First key\nlonger  -\n');
  });

  it('writes the rows of an endless list as they come', async () => {
    const { written, terminal } = recording();
    let ahead = 0;
    async function* rows(): AsyncGenerator<Row> {
      for (let at = 0; at < 10_000; at += 1) {
        yield { name: String(at), actor: null };
        ahead = Math.max(ahead, at + 1 - written.length);
      }
    }
    await terminal.list(rows(), ['name', 'actor']);
    expect(written).toHaveLength(10_000);
    expect(ahead).toBeLessThan(200);
  });
});
