import { hash } from 'node:crypto';

import { ThreadServer } from '#platform/concurrency/thread-server';
import { transferablesOf } from '#platform/concurrency/transferables';

import { readSpec } from './read-spec.js';
import { encodeSpecPart } from './spec-part.js';
import type { SpecAnswer, SpecPart, SpecRequest } from './spec-thread.js';

/** Reads a specification and gives each part of it as the bytes that are kept of it. */
function answer({ bytes, ...options }: SpecRequest): SpecAnswer {
  const { version, parts } = readSpec(bytes, options);
  const buffers = parts.map(encodeSpecPart);
  const content = new Uint8Array(buffers.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  const placed = buffers.map((buffer, at): SpecPart => {
    content.set(buffer, offset);
    const part = { pointer: parts[at]?.pointer ?? '', hash: hash('sha256', buffer), offset, size: buffer.byteLength };
    offset += buffer.byteLength;
    return part;
  });
  return { version, parts: placed, content };
}

new ThreadServer<SpecRequest>(transferablesOf).serve(answer);
