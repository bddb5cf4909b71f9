import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLogger, loadConfig, newApiKeySecret, sleep } from '#platform';

import { DEMO_USAGE, parseDemoArguments } from './demo/arguments.js';
import { DemoClient } from './demo/client.js';
import { ProgressBar, type ShownJob } from './demo/progress-bar.js';
import { place, renderResults, type ShownResult } from './demo/report.js';
import { type DemoRepository, resolveRepository } from './demo/repository.js';
import { startService } from './service.js';

const POLL_MS = 100;
const DEFAULT_QUESTION = 'How is the content of a source split into chunks?';
const FOREIGN_QUESTION = 'Where does the program start and how is it configured?';
const RESULTS = 5;

/**
 * Shows the main workflow on a real repository: start, index, search, answer; leaves nothing
 * behind.
 */
async function demo(words: readonly string[]): Promise<number> {
  const parsed = parseDemoArguments(words);
  if (typeof parsed === 'string') {
    process.stdout.write(`${parsed}\n`);
    return parsed === DEMO_USAGE ? 0 : 2;
  }
  const scratch = await mkdtemp(join(tmpdir(), 'footnote-demo-'));
  try {
    const repository = await resolveRepository(parsed.target, scratch);
    const question =
      parsed.question ?? (parsed.target === undefined ? DEFAULT_QUESTION : FOREIGN_QUESTION);
    return await runDemo(scratch, repository, question);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runDemo(
  scratch: string,
  repository: DemoRepository,
  question: string,
): Promise<number> {
  const key = newApiKeySecret().secret;
  const config = loadConfig(
    {
      DATA_DIR: join(scratch, 'data'),
      PORT: '0',
      BOOTSTRAP_API_KEY: key,
      ALLOW_FILE_URLS: 'true',
      LOG_LEVEL: 'warn',
      SERVICE_DOCS: 'false',
    },
    scratch,
  );
  say(`Starting Footnote on embedded engines in ${config.dataDir}`);
  const service = await startService(config, createLogger(config.logLevel));
  try {
    const client = new DemoClient(service.url, key);
    if (!(await indexRepository(client, repository))) return 1;
    return (await ask(client, repository, question)) ? 0 : 1;
  } finally {
    await service.stop();
  }
}

async function indexRepository(client: DemoClient, repository: DemoRepository): Promise<boolean> {
  say(`Indexing ${repository.url} (branch ${repository.branch})`);
  const { name, url, branch } = repository;
  const source = await client.post<{ id: string }>('/sources', {
    name,
    url,
    branch,
    source_type: 'repo',
  });
  const { job_id: jobId } = await client.post<{ job_id: string }>(`/sources/${source.id}/sync`);
  const bar = new ProgressBar(process.stdout);
  const started = performance.now();
  for (;;) {
    const job = await client.get<
      ShownJob & { error_message: string | null; files_processed: number; chunks_created: number }
    >(`/jobs/${jobId}`);
    bar.show(job);
    if (job.status === 'completed') {
      bar.end();
      const seconds = (performance.now() - started) / 1000;
      say(
        `Indexed ${job.files_processed} files as ${job.chunks_created} chunks in ${seconds.toFixed(1)} s`,
      );
      return true;
    }
    if (job.status === 'failed' || job.status === 'cancelled') {
      bar.end();
      say(`The sync ended as ${job.status}: ${job.error_message ?? ''}`);
      return false;
    }
    await sleep(POLL_MS);
  }
}

/** The parts of a chat answer that the demo shows. */
interface ShownAnswer {
  readonly answer: string;
  readonly model_used: string;
  readonly citations: readonly (ShownResult['citation'] & { readonly number: number })[];
}

async function ask(
  client: DemoClient,
  repository: DemoRepository,
  question: string,
): Promise<boolean> {
  say(`\nQuestion: ${question}`);
  const answer = await client.post<{
    results?: ShownResult[];
    message?: string;
    search_time_ms?: number;
    evidence_quality?: { confidence: string };
  }>('/search', { query: question, top_k: RESULTS });
  if (!answer.results) {
    say(`  ${answer.message ?? 'Nothing was found.'}`);
    return false;
  }
  const commit = answer.results[0]?.citation.version_ref.slice(0, 12) ?? '';
  say(
    `Results at commit ${commit}, ${answer.search_time_ms ?? 0} ms, confidence ${answer.evidence_quality?.confidence ?? ''}:\n`,
  );
  say(renderResults(answer.results, repository));
  const {
    answer: words,
    citations,
    model_used: model,
  } = await client.post<ShownAnswer>('/chat', { query: question });
  say(`Answer (${model}):\n`);
  for (const line of words.trimEnd().split('\n')) say(line === '' ? '' : `    ${line}`);
  say('');
  for (const citation of citations)
    say(`      — [${citation.number}] ${place({ citation }, repository)}`);
  return true;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

demo(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    process.stderr.write(
      `The demo failed: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
