import { hash } from 'node:crypto';

import { ThreadServer } from '#platform/concurrency/thread-server';
import { transferablesOf } from '#platform/concurrency/transferables';

import { readSpec } from './read-spec.js';
import { encodeSpecPart } from './rendered-part.js';
import { decodeMemory, encodeMemory, type RememberedPart } from './spec-memory.js';
import type { SpecAnswer, SpecPart, SpecRequest } from './spec-thread.js';

/** Reads a specification and returns each changed part as the bytes to store. */
function answer({ bytes, before, recipe, ...options }: SpecRequest): SpecAnswer {
  const known = before && decodeMemory(before.memory, recipe, before.known);
  const { version, parts, kept, memory } = readSpec(bytes, {
    ...options,
    ...(known && { before: known }),
  });
  const buffers = parts.map(encodeSpecPart);
  const content = new Uint8Array(buffers.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  const placed: SpecPart[] = [];
  const remembered: RememberedPart[] = [...kept];
  for (const [at, { pointer, piece, left }] of parts.entries()) {
    const buffer = buffers[at] as Uint8Array;
    const part = { pointer, hash: hash('sha256', buffer), size: buffer.byteLength };
    content.set(buffer, offset);
    placed.push({ ...part, offset });
    remembered.push({ ...part, piece, left: [...left] });
    offset += buffer.byteLength;
  }
  const asBefore = kept.map(({ pointer, hash: as, size }): SpecPart => ({
    pointer,
    hash: as,
    size,
    offset: null,
  }));
  return {
    version,
    parts: [...placed, ...asBefore],
    content,
    memory: encodeMemory({ ...memory, parts: remembered }, recipe),
  };
}

new ThreadServer<SpecRequest>(transferablesOf).serve(answer);
