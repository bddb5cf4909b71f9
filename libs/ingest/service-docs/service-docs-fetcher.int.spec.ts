import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { serviceDocsDefinition } from '#contracts';
import { tempDir } from '#test/support/temp-dir';

import type { FetchRequest } from '../fetch/fetcher.port.js';
import { readServiceDocs } from './service-docs.js';
import { createServiceDocsFetcher } from './service-docs-fetcher.js';

describe('the documentation that a build was shipped with', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
    mkdirSync(join(folder.path, 'docs'));
    writeFileSync(join(folder.path, 'README.md'), '# Service\n');
    writeFileSync(join(folder.path, 'docs/chat.md'), '# Chat\n');
    writeFileSync(join(folder.path, 'docs/openapi.json'), '{}');
  });
  afterEach(() => folder.remove());

  const request = (version: string) =>
    ({
      definition: serviceDocsDefinition(version),
      signal: new AbortController().signal,
    }) as FetchRequest;

  it('is its Markdown, under a version that changes with any of it and with nothing else', async () => {
    const { version, documents } = await readServiceDocs(folder.path);
    expect(documents.map(({ path }) => path)).toEqual(['README.md', 'docs/chat.md']);
    writeFileSync(join(folder.path, 'docs/openapi.json'), '{"a": 1}');
    expect((await readServiceDocs(folder.path)).version).toBe(version);
    writeFileSync(join(folder.path, 'docs/chat.md'), '# Chats\n');
    expect((await readServiceDocs(folder.path)).version).not.toBe(version);
  });

  it('is fetched in the version that is asked for, and in no other', async () => {
    const fetcher = createServiceDocsFetcher(folder.path);
    const { version } = await readServiceDocs(folder.path);
    const found = await fetcher.resolve(request(version));
    expect(found.ref).toBe(version);
    const snapshot = await found.open([]);
    const read: string[] = [];
    for await (const { path, bytes } of snapshot.read(snapshot.documents))
      read.push(path, Buffer.from(bytes).toString());
    expect(read).toEqual(['README.md', '# Service\n', 'docs/chat.md', '# Chat\n']);
    await expect(fetcher.resolve(request('another'))).rejects.toMatchObject({ retryable: true });
  });
});
