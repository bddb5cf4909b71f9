import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { type Stage, type StageAttempt, STAGES } from '#contracts';
import type { ApiClient, JobView, SourceView } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';
import { WebSite } from '#test/support/web-site';

import { inParallel, timed } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const SYNC_MS = 900_000;
/** One document in a hundred changes. */
const STEP = 100;
/** PDFs are a source each; so many are synced at once. */
const AT_ONCE = 8;
const UNCHANGED = { share: 5, target: '≤ 5 %' };
const CHANGED = { share: 10, target: '≤ 10 %' };

/** The documents of one kind, and the way in which a hundredth of them changes on their server. */
interface Material {
  readonly what: string;
  /** Sources that are synced, side by side where they are several. */
  readonly sources: readonly object[];
  /** @returns how many documents it changed. */
  change(): number;
}

interface Synced extends Counts {
  /** The duration of each stage, summed over all sources. */
  readonly stages: string;
}

interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * Sites, specifications and PDFs synced first, then when nothing and when a hundredth of them
 * changed; `sync` has repositories.
 */
export const resyncScenario: Scenario = {
  name: 'resync',
  async run({ say, note, material = {} }: BenchContext): Promise<readonly Figure[]> {
    const site = await WebSite.start();
    // What a site asks for between two requests is its own; here it asks for nothing.
    const service = await TwoTenantService.start({
      ...ROOMY,
      ALLOW_PRIVATE_NETWORKS: 'true',
      CRAWL_DELAY_MS: '0',
    });
    try {
      const given: Material[] = [];
      if (material.pages !== undefined) given.push(pagesOf(site, material.pages));
      if (material.specification !== undefined)
        given.push(specificationOf(site, material.specification));
      if (material.pdfs !== undefined) given.push(pdfsOf(site, material.pdfs));
      if (given.length === 0)
        throw new Error('Nothing to sync: give --pages, --specification or --pdfs');
      note('resync', 'served from loopback with ETags, CRAWL_DELAY_MS=0');
      const figures: Figure[] = [];
      for (const each of given) {
        say(each.what);
        figures.push(...(await measured(service, each, say)));
      }
      return figures;
    } finally {
      await service.dispose();
      await site.stop();
    }
  },
};

async function measured(
  { first: client, service }: TwoTenantService,
  material: Material,
  say: BenchContext['say'],
): Promise<readonly Figure[]> {
  const { what, sources } = material;
  const ids: string[] = [];
  for (const [index, body] of sources.entries()) {
    const source = { name: `${what} ${index}`, ...body };
    ids.push((await client.expect<SourceView>('POST', '/sources', source)).id);
  }
  const sync = async () => {
    const used = processorSeconds(service.pid) ?? 0;
    const took = await timed(() => syncAll(client, ids));
    const processorMs = ((processorSeconds(service.pid) ?? 0) - used) * 1_000;
    const [all, processor] = [took.milliseconds, processorMs].map((ms) => ms.toFixed(0));
    say(`${what}: ${all} ms, ${processor} ms of processor time: ${took.result.stages}`);
    return { ...took, processorMs };
  };
  const first = await sync();
  const before = await chunksOf(client, ids);
  const unchanged = await sync();
  const touched = material.change();
  const changed = await sync();
  const after = await chunksOf(client, ids);
  type Took = typeof first;
  const share = ({ milliseconds }: Took) => (milliseconds / first.milliseconds) * 100;
  const reported = (counts: Counts) =>
    `${counts.created} created, ${counts.updated} updated, ${counts.deleted} deleted`;
  const adds = before + changed.result.created - changed.result.deleted;
  const shareOf = (took: Took) =>
    `${share(took).toFixed(1)} % of the first (${took.milliseconds.toFixed(0)} ms), ` +
    `${((took.processorMs / first.processorMs) * 100).toFixed(1)} % of its processor time ` +
    `(${took.processorMs.toFixed(0)} ms)`;
  const rawOf = ({ milliseconds, processorMs }: Took) => ({ milliseconds, processorMs });
  return [
    {
      what: `${what}: first sync, ${before} chunks`,
      measured: `${(first.milliseconds / 1_000).toFixed(1)} s, ${(first.processorMs / 1_000).toFixed(1)} s of processor time`,
      raw: { ...rawOf(first), chunks: before },
    },
    {
      what: `${what}: nothing changed (${reported(unchanged.result)})`,
      measured: shareOf(unchanged),
      target: UNCHANGED.target,
      met: share(unchanged) <= UNCHANGED.share,
      raw: { ...rawOf(unchanged), ...unchanged.result },
    },
    {
      what: `${what}: ${touched} changed (${reported(changed.result)})`,
      measured: shareOf(changed),
      target: CHANGED.target,
      met: share(changed) <= CHANGED.share,
      raw: { ...rawOf(changed), touched, ...changed.result },
    },
    {
      what: `${what}: counts of both are those of the index`,
      measured: `${before} and then ${after} chunks, by the counts ${adds}`,
      target: 'equal, none when nothing changed',
      met:
        adds === after &&
        reported(unchanged.result) === reported({ created: 0, updated: 0, deleted: 0 }),
      raw: { before, after, adds },
    },
  ];
}

async function syncAll(client: ApiClient, ids: readonly string[]): Promise<Synced> {
  const jobs: (JobView & { readonly timeline: readonly StageAttempt[] })[] = [];
  await inParallel(Math.min(AT_ONCE, ids.length), ids.length, async (index) => {
    jobs.push((await client.syncToEnd(ids[index] ?? '', SYNC_MS)) as (typeof jobs)[number]);
  });
  const sum = (name: 'chunks_created' | 'chunks_updated' | 'chunks_deleted') =>
    jobs.reduce((total, job) => total + job[name], 0);
  const stages = STAGES.map(
    (stage) => `${stage} ${jobs.reduce((total, job) => total + tookMs(job, stage), 0)} ms`,
  );
  return {
    stages: stages.join(', '),
    created: sum('chunks_created'),
    updated: sum('chunks_updated'),
    deleted: sum('chunks_deleted'),
  };
}

function tookMs(
  { timeline }: { readonly timeline: readonly StageAttempt[] },
  stage: Stage,
): number {
  const ended = timeline.filter((attempt) => attempt.stage === stage && attempt.ended_at !== null);
  return ended.reduce(
    (sum, { started_at, ended_at }) => sum + Date.parse(ended_at ?? '') - Date.parse(started_at),
    0,
  );
}

async function chunksOf(client: ApiClient, ids: readonly string[]): Promise<number> {
  let total = 0;
  for (const id of ids)
    total += (await client.expect<SourceView>('GET', `/sources/${id}`)).chunk_count;
  return total;
}

/** A sentence more in the first section of every hundredth page. */
function pagesOf(site: WebSite, folder: string): Material {
  const pages = new Map(
    filesBelow(folder, '.html').map(
      (path) => [`/site/${path}`, readFileSync(join(folder, path), 'utf8')] as const,
    ),
  );
  site.put(Object.fromEntries(pages));
  const root = pages.has('/site/index.html') ? '/site/index.html' : [...pages.keys()][0];
  if (root === undefined) throw new Error(`${folder} has no pages`);
  return {
    what: `${pages.size} pages`,
    sources: [{ source_type: 'docs', docs_format: 'html', url: site.url(root) }],
    change: () => {
      const touched = [...pages]
        .filter(([, text]) => SECTION.test(text))
        .filter((_, index) => index % STEP === 50);
      for (const [path, text] of touched)
        site.put({ [path]: text.replace(SECTION, '<p>Changed by the benchmark.</p>$&') });
      return touched.length;
    },
  };
}

const SECTION = /<\/(?:section|article|main)>/;

/** Another summary for every hundredth operation; the file keeps its layout. */
function specificationOf(site: WebSite, file: string): Material {
  const text = readFileSync(file, 'utf8');
  const specification = JSON.parse(text) as {
    paths: Record<string, Record<string, { summary?: string }>>;
  };
  const operations = Object.values(specification.paths).flatMap((path) =>
    ['get', 'post', 'put', 'patch', 'delete'].flatMap((method) => path[method] ?? []),
  );
  const indent = /^\{\n( +)"/.exec(text)?.[1] ?? '';
  site.put({ '/specification.json': text });
  return {
    what: `${operations.length} operations`,
    sources: [
      { source_type: 'docs', docs_format: 'openapi', url: site.url('/specification.json') },
    ],
    change: () => {
      const touched = operations.filter((_, index) => index % STEP === 50);
      for (const operation of touched)
        operation.summary = `${operation.summary ?? ''} (changed by the benchmark)`;
      site.put({ '/specification.json': JSON.stringify(specification, null, indent) });
      return touched.length;
    },
  };
}

/** Every hundredth file becomes that before it. */
function pdfsOf(site: WebSite, folder: string): Material {
  const files = filesBelow(folder, '.pdf').map((path) => readFileSync(join(folder, path)));
  if (files.length < 2) throw new Error(`${folder} has no two PDFs`);
  const serve = (index: number, bytes: Uint8Array) => site.put({ [`/${index}.pdf`]: bytes });
  files.forEach((bytes, index) => serve(index, bytes));
  return {
    what: `${files.length} PDFs`,
    sources: files.map((_, index) => ({ source_type: 'pdf', url: site.url(`/${index}.pdf`) })),
    change: () => {
      const touched = files.flatMap((_, index) =>
        index % STEP === Math.min(50, files.length - 1) ? [index] : [],
      );
      for (const index of touched) serve(index, files[index - 1] as Uint8Array);
      return touched.length;
    },
  };
}

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
