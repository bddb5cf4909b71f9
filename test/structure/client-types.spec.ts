import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

import { tempDir } from '../support/temp-dir.js';

const ROOT = process.cwd();
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  skipLibCheck: false,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  // A page and Node have the same client: no types of Node.
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
  noEmit: true,
};

/** A program of a user of the client; lines that must not compile say so. */
const CONSUMER = `
import { ApiError, createClient, every, isApiError } from './client/index.js';

const client = createClient({ url: 'http://localhost:8080', apiKey: 'fnt_x' });

export async function use(signal: AbortSignal): Promise<string> {
  const answer = await client.search.post({ body: { query: 'x' }, signal });
  if (!('results' in answer)) return answer.message;
  for await (const source of every(client.sources.list, 'sources')) console.log(source.name);
  for await (const event of client.streams.rover('id')) {
    if (event.event === 'token') console.log(event.data.token);
    if (event.event === 'done') console.log(event.data.answer);
    // @ts-expect-error: no such event
    if (event.event === 'end') return '';
  }
  const outcome = await client.sources.create.attempt({
    body: { name: 'x', source_type: 'repo', url: 'https://example.com/x.git' },
  });
  if (!outcome.ok) {
    if (outcome.error.code === 'idempotency_key_reused') return outcome.error.message;
    // @ts-expect-error: an operation has the codes of the document, not all
    if (outcome.error.code === 'member_not_found') return '';
  }
  // @ts-expect-error: the body needs a query
  await client.search.post({ body: {} });
  // @ts-expect-error: no such field
  await client.search.post({ body: { query: 'x', topk: 3 } });
  // @ts-expect-error: the path is needed
  await client.sources.get();
  const caught: unknown = new Error();
  if (isApiError(caught, 'rate_limited')) return String(caught.retryAfter);
  return caught instanceof ApiError ? caught.code : '';
}
`;

describe('the types of the client', () => {
  const folder = tempDir('client-types-');
  let problems: readonly string[];

  beforeAll(() => {
    const packages = join(ROOT, 'node_modules');
    const declared = emitDeclarations(join(ROOT, 'libs/client/index.ts'), folder.path);
    expect(declared).toBeGreaterThan(5);
    const parser = join(folder.path, 'node_modules/eventsource-parser');
    mkdirSync(parser, { recursive: true });
    for (const file of ['package.json', 'dist/index.d.ts', 'dist/stream.d.ts']) {
      mkdirSync(join(parser, 'dist'), { recursive: true });
      writeFileSync(
        join(parser, file),
        readFileSync(join(packages, 'eventsource-parser', file), 'utf8'),
      );
    }
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder.path, 'use.ts'), CONSUMER);
    const program = ts.createProgram([join(folder.path, 'use.ts')], OPTIONS);
    problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ file, messageText }) =>
        [file?.fileName, ts.flattenDiagnosticMessageText(messageText, '\n')].join(': '),
      );
  });
  afterAll(() => folder.remove());

  it('compile strictly for a user, without skipLibCheck and without types of Node', () => {
    expect(problems).toEqual([]);
  });
});

/** Writes the declarations of the client below `client`, and returns their number. */
function emitDeclarations(entry: string, outDir: string): number {
  let count = 0;
  const program = ts.createProgram([entry], {
    ...OPTIONS,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(ROOT, 'libs'),
    outDir,
  });
  const { diagnostics } = program.emit();
  expect(diagnostics).toEqual([]);
  for (const { fileName } of program.getSourceFiles()) {
    if (fileName.includes('/libs/client/')) count += 1;
  }
  return count;
}
