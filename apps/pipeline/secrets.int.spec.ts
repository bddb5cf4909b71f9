import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { StageDetails } from '#apps/pipeline/stages/stage.types';
import { createHashEmbedder, type Embedder } from '#models';
import { createLogger } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { MemoryFetcher } from '#test/support/memory-fetcher';
import { type HarnessOptions, PipelineHarness } from '#test/support/pipeline-harness';
import { plantedSecrets } from '#test/support/planted-secrets';
import { filesThatHold } from '#test/support/stored-bytes';

import { decodeRawPart } from './artifacts/raw-part.js';
import { parseStage } from './stages/parse.stage.js';
import { requireListing } from './stages/require-listing.js';

/** Everything that was ever put is old enough to be collected. */
const later = () => new Date(Date.now() + 48 * 3_600_000);
const PLANTED = plantedSecrets(5, 36);
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const SECRETS = [...PLANTED.map(({ secret }) => secret), TOKEN];

const FILES: Readonly<Record<string, string>> = {
  'docs/set-up.md': `# Set-up of the capybara\n\n${PLANTED.map(({ lines }) => lines).join('\n\n')}\n`,
  'src/client.ts': `export function ${TOKEN}(): string {\n  return 'marmoset';\n}\n`,
  'README.md': `# Use ${TOKEN}\n\nAsk the tapir.\n`,
  '.env': `DB_PASSWORD=sommerwind\nTOKEN=${TOKEN}\n`,
  'tls/server.key': `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(16)}\n-----END PRIVATE KEY-----\n`,
};

describe('pipeline: secrets in the content', () => {
  let harness: PipelineHarness;
  let log: string[];
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    log = [];
  });
  afterEach(() => harness.close());

  const start = (options: HarnessOptions = {}) =>
    harness.start({
      logger: createLogger('trace', { write: (line) => void log.push(line) }),
      ...options,
    });
  const repositoryOf = (files: Readonly<Record<string, string>>) =>
    TestRepository.create(`${harness.directory.path}/repository`, files);
  async function synced(source: string) {
    const id = await harness.requestSync('t1', source);
    const job = await harness.ended(id);
    if (job.status !== 'completed') throw new Error(`the job ended ${JSON.stringify(job)}`);
    return { id, chunks: await harness.index.chunksOf(job.published.manifest) };
  }
  async function parseDetails(job: string): Promise<StageDetails> {
    for await (const { type, data } of harness.store.read(`job-${job}`)) {
      if (type !== 'JobStageAdvanced') continue;
      const { stage, stage_details } = data as { stage: string; stage_details: StageDetails };
      if (stage === 'parse') return stage_details;
    }
    throw new Error('the parse stage has not ended');
  }

  it('are in nothing that is kept, sent to the model or written down, and counted', async () => {
    const embedded: string[] = [];
    const embedder: Embedder = {
      id: 'remote-1',
      dimensions: 3,
      local: false,
      embedPassages: async (inputs) => {
        embedded.push(JSON.stringify(inputs));
        if (embedded.length === 1) throw new Error('The model is away');
        return inputs.map(() => Float32Array.of(1, 0, 1));
      },
      embedQuery: async () => Float32Array.of(0, 0, 1),
    };
    const blobs = `${harness.directory.path}/blobs`;
    // The parts of the fetch stage hold the files as they are, and are sealed.
    const raw: string[] = [];
    const parse: typeof parseStage = async (context) => {
      expect(filesThatHold(blobs, TOKEN)).toEqual([]);
      for (const part of (await requireListing(context)).parts) {
        const documents = decodeRawPart(await context.parts.get(part));
        raw.push(...documents.map(({ bytes }) => Buffer.from(bytes).toString()));
      }
      return parseStage(context);
    };
    const pipeline = await start({ embedder, now: later, stages: { parse } });
    const { id, chunks } = await synced(
      await harness.registerSource('t1', repositoryOf(FILES).url),
    );
    expect(raw.join('\n')).toContain(TOKEN);
    await pipeline.collect();

    const kept = ['blobs', 'log', 'queue'].map((folder) => `${harness.directory.path}/${folder}`);
    const written = [JSON.stringify(chunks), embedded.join('\n'), log.join('\n')];
    for (const secret of SECRETS) {
      expect(kept.flatMap((folder) => filesThatHold(folder, secret))).toEqual([]);
      expect(written.filter((text) => text.includes(secret))).toEqual([]);
    }
    // The same look finds what is no secret.
    expect(filesThatHold(blobs, 'Set-up of the capybara')).toHaveLength(1);
    expect(filesThatHold(`${harness.directory.path}/log`, id)).not.toEqual([]);
    expect(embedded.join('\n')).toContain('capybara');
    expect(log.join('\n')).toContain('The model is away');

    const details = await parseDetails(id);
    expect(details).toMatchObject({ files_skipped: 2, files_skipped_secret: 2, files_parsed: 3 });
    expect(details['secrets_redacted']).toBe(PLANTED.length + 2);
    expect(details['secrets_redacted_github_token']).toBe(4);
  });

  it('leave the lines where they were, and every other character', async () => {
    await start();
    const { chunks } = await synced(await harness.registerSource('t1', repositoryOf(FILES).url));
    expect(chunks.find(({ path }) => path === 'src/client.ts')).toMatchObject({
      start_line: 1,
      end_line: 3,
      content: `export function [redacted:github_token](): string {\n  return 'marmoset';\n}`,
    });
    const last = chunks.filter(({ path }) => path === 'docs/set-up.md').at(-1);
    expect(last?.end_line).toBe((FILES['docs/set-up.md'] as string).split('\n').length - 1);
    expect(chunks.find(({ path }) => path === 'README.md')?.symbol).toBe(
      'Use [redacted:github_token]',
    );
  });

  it('are taken out of a settings file that the patterns ask for', async () => {
    await start();
    const patterns = { include_patterns: ['.env'] };
    const { chunks } = await synced(
      await harness.registerSource('t1', repositoryOf(FILES).url, patterns),
    );
    expect(chunks.map(({ content }) => content)).toEqual([
      'DB_PASSWORD=[redacted:setting]\nTOKEN=[redacted:github_token]',
    ]);
  });

  it('are taken out of pages too, and a page whose address carries one is left out', async () => {
    const fetcher = new MemoryFetcher();
    fetcher.change({ 'guide/use': `# Use\n\nSend ${TOKEN}.\n`, [`guide/${TOKEN}`]: '# Hidden\n' });
    await start({ fetchers: { docs_html: fetcher }, embedder: createHashEmbedder() });
    const source = await harness.registerSource('t1', 'https://docs.example/', {
      source_type: 'docs',
    });
    const { chunks, id } = await synced(source);
    expect(chunks.map(({ path, content }) => [path, content])).toEqual([
      ['guide/use', '# Use\n\nSend [redacted:github_token].'],
    ]);
    expect(await parseDetails(id)).toMatchObject({ files_skipped_secret: 1, secrets_redacted: 1 });
  });
});
