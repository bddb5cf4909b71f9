import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { LineExpression } from '#code-search/pattern/line-engine.port';
import type { ApiClient, JobView } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { ON_STACK } from '#test/support/stack/stack-environment';
import { TwoTenantService } from '#test/support/two-tenants';

import { allPlaces, indexedPaths } from '../code-client.js';
import { codePatterns } from '../code-patterns.js';
import type { Figure } from '../report.js';
import { textFiles } from '../repository-files.js';
import { ripgrepPlaces, ripgrepVersion } from '../ripgrep.js';
import type { BenchContext, Scenario } from './scenario.js';

/** Patterns of each repository after its first sync, and the share of them after each change. */
const PATTERNS = 170;
const SHARE_LATER = 4;
/** Commits before the last one at which a repository is synced first. */
const FIRST_AGO = 60;
/** A sync merges the packs of a source when it would have eight of them. */
const SYNCS_TO_MERGE = 9;
const SYNC_TIMEOUT_MS = 1_800_000;
const LITERAL = { regex: false, caseSensitive: true, word: false };
const REDACTED: LineExpression = { pattern: '[redacted:', ...LITERAL };

/**
 * Compares the paths and lines that a service returns over HTTP with those of ripgrep on the files
 * of the same commit. It does so after the first sync, after later commits, a merge of packs and a
 * rebuild. Files that the sync left out, with removed secrets or not in UTF-8 are not compared.
 */
export const codeEqualityScenario: Scenario = {
  name: 'code-equality',
  mustHold: true,
  async run({ repositories, scratch, rounds = PATTERNS, seed = 1, say, note }: BenchContext) {
    note('ripgrep', ripgrepVersion());
    note('engines', ON_STACK ? 'servers' : 'embedded');
    const service = await TwoTenantService.start(ROOMY);
    const sources: SyncedSteps[] = [];
    const comparisons: Comparison[] = [];
    const compare = async (stage: string, source: SyncedSteps, count: number): Promise<void> => {
      comparisons.push(await compared(service, source, { stage, count, seed }));
      say(`${source.name}, ${stage}: ${describe(comparisons.slice(-1))}`);
    };
    try {
      for (const repository of repositories) {
        const source = await SyncedSteps.first(service.first, repository, scratch);
        sources.push(source);
        await compare('first sync', source, rounds);
        await source.sync(FIRST_AGO / 2);
        await compare('later commits', source, rounds / SHARE_LATER);
        await source.untilMerge();
        await compare('merge', source, rounds / SHARE_LATER);
      }
      say('rebuild');
      await service.operate('rebuild');
      for (const source of sources) await compare('rebuild', source, rounds / SHARE_LATER);
    } finally {
      await service.dispose();
    }
    return [
      ...sources.map(({ name }) => figure(name, ofName(comparisons, name))),
      figure('all', comparisons),
      ...['first sync', 'later commits', 'merge', 'rebuild'].map((stage) =>
        figure(
          `after ${stage}`,
          comparisons.filter((each) => each.stage === stage),
        ),
      ),
    ];
  },
};

/** A repository that is synced at earlier commits first. */
class SyncedSteps {
  /** Syncs that added chunks. */
  private growths = 0;

  private constructor(
    readonly name: string,
    readonly folder: string,
    readonly sourceId: string,
    private readonly client: ApiClient,
    private readonly scratch: string,
    private ago: number,
  ) {}

  static async first(client: ApiClient, repository: string, scratch: string): Promise<SyncedSteps> {
    const name = basename(repository);
    const folder = join(scratch, `${name}.git`);
    git(scratch, 'clone', '--quiet', '--bare', '--no-hardlinks', repository, folder);
    git(folder, 'config', 'uploadpack.allowFilter', 'true');
    git(folder, 'update-ref', 'refs/bench/last', 'HEAD');
    git(folder, 'update-ref', 'refs/heads/bench', `refs/bench/last~${FIRST_AGO}`);
    const url = pathToFileURL(folder).href;
    const source = await client.createRepo(name, url, { branch: 'bench' });
    const steps = new SyncedSteps(name, folder, source.id, client, scratch, FIRST_AGO);
    await steps.sync(FIRST_AGO);
    return steps;
  }

  /** Syncs the commit so many commits before the last one. */
  async sync(ago: number): Promise<JobView> {
    this.ago = ago;
    git(this.folder, 'update-ref', 'refs/heads/bench', `refs/bench/last~${ago}`);
    const job = await this.client.syncToEnd(this.sourceId, SYNC_TIMEOUT_MS);
    if (job.chunks_created + job.chunks_updated > 0) this.growths += 1;
    return job;
  }

  /** Syncs one commit after the other until the packs were merged. */
  async untilMerge(): Promise<void> {
    while (this.growths < SYNCS_TO_MERGE && this.ago > 0) await this.sync(this.ago - 1);
    if (this.growths < SYNCS_TO_MERGE) throw new Error(`${this.name} has too few commits`);
  }

  /** Writes the files that are compared. @returns their texts. */
  async files(): Promise<{ readonly folder: string; readonly texts: ReadonlyMap<string, string> }> {
    const indexed = await indexedPaths(this.client, this.sourceId);
    const { places } = await allPlaces(this.client, REDACTED, this.sourceId);
    const redacted = new Set([...places].map(pathOf));
    const folder = join(this.scratch, `files-${this.name}`);
    const isWanted = (path: string): boolean => indexed.has(path) && !redacted.has(path);
    const files = textFiles(this.folder, 'refs/heads/bench', folder, isWanted);
    return { folder, texts: new Map(files.map(({ path, content }) => [path, content])) };
  }
}

interface Comparison {
  readonly name: string;
  readonly stage: string;
  readonly patterns: number;
  readonly different: readonly string[];
  readonly files: number;
  readonly lines: number;
}

async function compared(
  service: TwoTenantService,
  source: SyncedSteps,
  { stage, count, seed }: { readonly stage: string; readonly count: number; readonly seed: number },
): Promise<Comparison> {
  const { folder, texts } = await source.files();
  const patterns = codePatterns([...texts.values()], Math.ceil(count), seed).filter(
    ({ pattern }) => pattern.trim() !== '',
  );
  const different: string[] = [];
  let lines = 0;
  for (const expression of patterns) {
    const found = await allPlaces(service.first, expression, source.sourceId);
    const ours = [...found.places].filter((place) => texts.has(pathOf(place)));
    const theirs = ripgrepPlaces(folder, expression);
    lines += theirs.size;
    const isSame = ours.length === theirs.size && ours.every((place) => theirs.has(place));
    if (!isSame || !found.isComplete)
      different.push(`${JSON.stringify(expression)} ${ours.length} ${theirs.size}`);
  }
  const [first] = patterns;
  const foreign = first && (await allPlaces(service.second, first));
  if (foreign && foreign.places.size > 0) different.push('another tenant sees lines');
  const { name } = source;
  return { name, stage, patterns: patterns.length, different, files: texts.size, lines };
}

function figure(what: string, comparisons: readonly Comparison[]): Figure {
  const different = comparisons.flatMap((each) => each.different);
  return {
    what: `code search over HTTP equals ripgrep: ${what}`,
    measured: describe(comparisons),
    target: 'all',
    met: different.length === 0,
    raw: {
      patterns: sum(comparisons.map(({ patterns }) => patterns)),
      lines: sum(comparisons.map(({ lines }) => lines)),
      different: different.join('\n'),
    },
  };
}

function describe(comparisons: readonly Comparison[]): string {
  const patterns = sum(comparisons.map((each) => each.patterns));
  const equal = patterns - sum(comparisons.map(({ different }) => different.length));
  const lines = sum(comparisons.map((each) => each.lines));
  const files = Math.max(...comparisons.map((each) => each.files));
  return `${equal} of ${patterns} patterns (${files} files, ${lines} lines)`;
}

function ofName(comparisons: readonly Comparison[], name: string): readonly Comparison[] {
  return comparisons.filter((each) => each.name === name);
}

function pathOf(place: string): string {
  return place.slice(0, place.lastIndexOf(':'));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function git(folder: string, ...parameters: string[]): void {
  execFileSync('git', parameters, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}
