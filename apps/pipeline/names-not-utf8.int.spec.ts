import { rmSync, writeFileSync } from 'node:fs';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { CompletedJob } from '#domain';
import { pathBytes } from '#ingest';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

import { indexStage } from './stages/index.stage.js';
import type { StageContext, StageOutcome } from './stages/stage.types.js';

/** `café.md` and `cafè.md` in Latin-1: the two differ in the one byte that is not UTF-8. */
const ACUTE = 'caf\xe9.md';
const GRAVE = 'caf\xe8.md';

describe('pipeline: names that are not UTF-8', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  let source: string;
  let repositories = 0;
  beforeAll(async () => {
    harness = await PipelineHarness.open();
    await harness.start();
  });
  beforeEach(async () => {
    repositories += 1;
    repository = TestRepository.create(`${harness.directory.path}/repository-${repositories}`, {
      'plain.md': 'plain',
    });
    source = await harness.registerSource('t1', repository.url);
  });
  afterAll(() => harness.close());

  const onDisk = (name: string) => Buffer.from(`${repository.path}/${name}`, 'latin1');

  /** Commits files by the Latin-1 of their names; null deletes one. Then syncs. */
  async function synced(files: Readonly<Record<string, string | null>>): Promise<CompletedJob> {
    for (const [name, text] of Object.entries(files)) {
      if (text === null) rmSync(onDisk(name));
      else writeFileSync(onDisk(name), text);
    }
    if (Object.keys(files).length > 0) repository.commit({});
    const job = await harness.sync('t1', source);
    if (job.status !== 'completed') throw new Error(`the job ended ${JSON.stringify(job)}`);
    return job;
  }

  async function chunks({ published }: CompletedJob): Promise<Record<string, string>> {
    const all = await harness.index.chunksOf(published.manifest);
    expect(new Set(all.map(({ path }) => path)).size).toBe(all.length);
    return Object.fromEntries(all.map(({ path, content }) => [path, content]));
  }

  it('keeps two files apart that differ only in such bytes, each under a name that gives its bytes back', async () => {
    const job = await synced({ [ACUTE]: 'acute', [GRAVE]: 'grave' });
    expect(await chunks(job)).toEqual({
      'caf\uFFFDE9.md': 'acute',
      'caf\uFFFDE8.md': 'grave',
      'plain.md': 'plain',
    });
    expect(pathBytes('caf\uFFFDE9.md')).toEqual(Buffer.from(ACUTE, 'latin1'));
  });

  it('forgets the text of the one that is deleted and keeps the other', async () => {
    await synced({ [ACUTE]: 'acute', [GRAVE]: 'grave' });
    const job = await synced({ [ACUTE]: null });
    expect(await chunks(job)).toEqual({ 'caf\uFFFDE8.md': 'grave', 'plain.md': 'plain' });
  });

  it('syncs a change to both, and whatever comes after', async () => {
    await synced({ [ACUTE]: 'acute', [GRAVE]: 'grave' });
    const both = await synced({ [ACUTE]: 'acute two', [GRAVE]: 'grave two' });
    expect(both.counters).toMatchObject({
      chunks_created: 0,
      chunks_updated: 2,
      chunks_deleted: 0,
    });
    const later = await synced({ 'plain.md': 'plain two' });
    expect(await chunks(later)).toEqual({
      'caf\uFFFDE9.md': 'acute two',
      'caf\uFFFDE8.md': 'grave two',
      'plain.md': 'plain two',
    });
  });

  it('heals a source whose manifest lists one path twice, though nothing has changed', async () => {
    await harness.restart({ stages: { index: namingByCharacters } });
    await synced({ [ACUTE]: 'acute', [GRAVE]: 'grave' });
    await harness.restart();
    const healed = await synced({});
    expect(healed.published.generation).toBe(2);
    expect(Object.keys(await chunks(healed)).sort()).toEqual([
      'caf\uFFFDE8.md',
      'caf\uFFFDE9.md',
      'plain.md',
    ]);
  });

  /** The stage of a version that gave both files the same name. */
  async function namingByCharacters(context: StageContext): Promise<StageOutcome> {
    const outcome = await indexStage(context);
    if (outcome.kind !== 'staged') throw new Error(`the stage ended as ${outcome.kind}`);
    const text = Buffer.from(await context.blobs.get(outcome.manifest)).toString();
    return {
      ...outcome,
      manifest: await context.blobs.put(Buffer.from(text.replace(/\uFFFDE[89]/gu, '\uFFFD'))),
    };
  }
});
