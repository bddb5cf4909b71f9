import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { createChunker } from '#ingest/chunk/chunker';
import { memoryKiB } from '#test/support/process-memory';

import { LANGUAGE_FIXTURES } from './language-fixtures.js';
import { PROJECT_ROOT } from './project-root.js';

/** Enough for V8 to count the lexer of a grammar as hot. */
const ROUNDS = 40;
const CHARACTERS = 30_000;
/** The time after which V8 has begun its optimizations in the background. */
const AFTERWARDS_MS = 1_000;

/**
 * Chunks the named fixture again and again, and prints the most memory it had, in KiB. With
 * `beside` as second word, another thread uses the baseline compiler all the time for moments.
 */
const [name = '', beside = ''] = process.argv.slice(2);
const { language } = LANGUAGE_FIXTURES[name] ?? { language: '' };
const fixture = readFileSync(join(PROJECT_ROOT, 'test/fixtures/languages', name), 'utf8');
const text = fixture.repeat(Math.ceil(CHARACTERS / fixture.length));
const chunker = await createChunker({ grammarsDirectory: join(PROJECT_ROOT, 'dist/grammars') });
const other =
  beside === 'beside'
    ? new Worker(new URL('threads/baseline-moments.worker.js', import.meta.url))
    : undefined;
for (let round = 0; round < ROUNDS; round += 1)
  chunker.chunk({ path: name, kind: 'code', language, text });
await delay(AFTERWARDS_MS);
chunker.close();
await other?.terminate();
process.stdout.write(`${memoryKiB('VmHWM') ?? ''}\n`);
