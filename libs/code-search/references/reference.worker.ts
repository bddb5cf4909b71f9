import { fileURLToPath } from 'node:url';

import { Grammars } from '#ingest/chunk/grammars';
import { CHUNK_LIMITS } from '#ingest/chunk/limits';
import { SyntaxParser } from '#ingest/chunk/syntax-parser';
import { ThreadServer } from '#platform/concurrency/thread-server';

import type { FileOccurrences } from './name-occurrence.js';
import { OccurrenceFinder } from './occurrence-finder.js';
import type { ReferenceAnswer, ReferenceRequest } from './reference-protocol.js';

const GRAMMARS = fileURLToPath(new URL('../../../grammars', import.meta.url));

const server = new ThreadServer<ReferenceRequest>();
try {
  const grammars = await Grammars.open(GRAMMARS);
  const finder = new OccurrenceFinder(grammars, new SyntaxParser(CHUNK_LIMITS.parseMilliseconds));
  server.serve((request) => answer(finder, request));
  server.opened();
} catch (error) {
  server.refused(error);
}

function answer(
  finder: OccurrenceFinder,
  { name, files, budgetMs, stop }: ReferenceRequest,
): ReferenceAnswer {
  const stopped = new Int32Array(stop);
  const deadline = performance.now() + budgetMs;
  const found: FileOccurrences[] = [];
  for (const file of files) {
    if (performance.now() > deadline || Atomics.load(stopped, 0) !== 0) break;
    found.push(finder.find(file, name));
  }
  return { kind: 'occurrences', files: found };
}
