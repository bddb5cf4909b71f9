import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import {
  CompactRange,
  formatAddCheckpoint,
  noteSigner,
  parseCheckpoint,
  parseNoteSignature,
  parseVerifierKey,
  signCheckpoint,
  TILE_WIDTH,
  TileTree,
  verifyNote,
} from '#audit';
import { leafHash } from '#audit/tree/hashing';
import { systemClock } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { type OpenedWitness, openWitness } from './open-witness.js';
import { serveWitness, type WitnessServer } from './serve-witness.js';

const ORIGIN = 'footnote/log/tenant';
const log = noteSigner(ORIGIN, 'ed25519', Buffer.alloc(32, 1));
const other = noteSigner('footnote/log/other', 'ed25519', Buffer.alloc(32, 2));

/** A tree of at most 256 leaves, whose contents depend on a seed. */
const treeOf = (size: number, seed = 'a') => {
  const leaves = Array.from({ length: size }, (_, at) => leafHash(`${seed}${at}`));
  const tiles = { read: () => Promise.resolve(Buffer.concat(leaves.slice(0, TILE_WIDTH))) };
  const range = CompactRange.empty();
  for (const leaf of leaves) range.append(leaf);
  return { size, root: range.root(), tree: new TileTree(tiles, size) };
};

describe('a witness', () => {
  let folder: ReturnType<typeof tempDir>;
  let opened: OpenedWitness;
  let server: WitnessServer;

  const open = async () => {
    const options = { directory: folder.path, name: 'witness.example', clock: systemClock };
    opened = await openWitness({ ...options, logs: [log.key] });
    server = await serveWitness({
      witness: opened.witness,
      host: '127.0.0.1',
      port: 0,
      onError: (error) => {
        throw error;
      },
    });
  };
  const close = async () => {
    await server.close();
    opened.close();
  };
  beforeEach(async () => {
    folder = tempDir();
    await open();
  });
  afterEach(async () => {
    await close();
    folder.remove();
  });

  const post = async (body: string, path = '/add-checkpoint', method = 'POST') => {
    const init = method === 'POST' ? { method, body } : { method };
    const answer = await fetch(`${server.url}${path}`, init);
    const type = answer.headers.get('content-type');
    return { status: answer.status, type, body: await answer.text() };
  };
  const submit = async (
    oldSize: number,
    { size, root, tree }: ReturnType<typeof treeOf>,
    { signer = log, proof }: { signer?: typeof log; proof?: readonly Buffer[] } = {},
  ) => {
    const checkpoint = signCheckpoint({ origin: signer.key.name, size, root }, [signer]);
    const hashes = proof ?? (oldSize <= size ? await tree.consistencyProof(oldSize) : []);
    return {
      checkpoint,
      ...(await post(formatAddCheckpoint({ oldSize, proof: hashes, checkpoint }))),
    };
  };

  it('cosigns a first checkpoint and every one that extends the last', async () => {
    for (const [oldSize, size] of [
      [0, 5],
      [5, 5],
      [5, 8],
      [8, 200],
    ] as const) {
      const { status, body, checkpoint } = await submit(oldSize, treeOf(size));
      expect([status, body]).toEqual([200, expect.stringMatching(/^— witness\.example .+\n$/)]);
      const key = parseVerifierKey(opened.key);
      const signature = parseNoteSignature(body.trimEnd());
      const text = parseCheckpoint(checkpoint)?.note.text ?? '';
      const verified = key && signature && verifyNote({ text, signatures: [signature] }, [key]);
      expect(verified?.[0]?.timestamp).toBeGreaterThan(0);
    }
  });

  it('answers 409 with its size for another old size, and for another root of one size', async () => {
    await submit(0, treeOf(5));
    const conflict = { status: 409, type: 'text/x.tlog.size', body: '5\n' };
    expect(await submit(0, treeOf(8))).toMatchObject(conflict);
    expect(await submit(4, treeOf(8))).toMatchObject(conflict);
    expect(await submit(5, treeOf(5, 'b'), { proof: [] })).toMatchObject(conflict);
    expect(await submit(5, treeOf(8))).toMatchObject({ status: 200 });
  });

  it('answers 422 for a tree that does not extend the last, and keeps the last', async () => {
    await submit(0, treeOf(5));
    expect(await submit(5, treeOf(8, 'b'))).toMatchObject({ status: 422 });
    expect(await submit(5, treeOf(8), { proof: [] })).toMatchObject({ status: 422 });
    expect(await submit(0, treeOf(8))).toMatchObject({ status: 409, body: '5\n' });
  });

  it('rejects unknown logs, other signatures, smaller trees and other bodies', async () => {
    expect(await submit(0, treeOf(5), { signer: other })).toMatchObject({ status: 404 });
    const forged = noteSigner(ORIGIN, 'ed25519', Buffer.alloc(32, 3));
    expect(await submit(0, treeOf(5), { signer: forged })).toMatchObject({ status: 403 });
    expect(await submit(6, treeOf(5))).toMatchObject({ status: 400 });
    for (const body of ['', 'old 0\n\n', 'old 00\n\nx', 'old 1\nAA==\n\nx', 'old -1\n\nx'])
      expect(await post(body)).toMatchObject({ status: 400 });
    expect(await post('x'.repeat(80_000))).toMatchObject({ status: 413 });
    expect(await post('', '/')).toMatchObject({ status: 404 });
    expect(await post('', '/add-checkpoint', 'GET')).toMatchObject({ status: 405 });
  });

  it('keeps its key and its heads over a restart', async () => {
    const { key } = opened;
    await submit(0, treeOf(5));
    await close();
    await open();
    expect(opened.key).toBe(key);
    expect(await submit(0, treeOf(8))).toMatchObject({ status: 409, body: '5\n' });
    expect(await submit(5, treeOf(8, 'b'))).toMatchObject({ status: 422 });
  });

  it('cosigns one of many histories that arrive at once', async () => {
    const seeds = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(seeds.map((seed) => submit(0, treeOf(5, seed))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  it('does not start with a damaged head, with another name, or twice in one folder', async () => {
    await submit(0, treeOf(5));
    const options = { directory: folder.path, logs: [log.key], clock: systemClock };
    await expect(openWitness({ ...options, name: 'witness.example' })).rejects.toMatchObject({
      code: 'folder_in_use',
    });
    opened.close();
    await expect(openWitness({ ...options, name: 'other.example' })).rejects.toThrow('--name');
    const heads = join(folder.path, 'heads');
    for (const name of readdirSync(heads)) writeFileSync(join(heads, name), '{}');
    await expect(openWitness({ ...options, name: 'witness.example' })).rejects.toThrow('damaged');
  });
});
