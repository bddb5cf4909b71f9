import {
  type RoverBudget,
  type RoverRead,
  type RoverResult,
  type SourceDefinition,
} from '#contracts';
import type { Fetchers, FetchRequest } from '#ingest';
import type { BlobStore, Clock } from '#platform';
import {
  addsPassages,
  checkCoverage,
  chooseEvidence,
  type Coverage,
  followActions,
  isManifestPath,
  mergeObservations,
  type Observation,
  type SearchAction,
  searchActions,
  termActions,
  understand,
  type Understanding,
  writeAnswer,
} from '#research';
import type { SearchIndex } from '#search-index';

import { ifThere, readManifest } from '../stages/base-manifest.js';
import { reasonOf, type ResearchSources } from './research-sources.js';
import type { RoverLease } from './rover-lease.js';
import type { AppliedPolicy, AttachedSource, RoverSearches } from './rover-searches.js';
import { RoverJobFailure, StepFailed } from './step-failure.js';
import type { StepAttempt, StepResult, StepRunner } from './step-runner.js';

/** Manifests read of one repository. */
const MOST_MANIFESTS = 12;
/** Characters of one manifest. */
const MOST_MANIFEST_CHARACTERS = 64 * 1024;
/** Follow-up searches of one round. */
const MOST_FOLLOWED = 6;
/** Version that a git fetcher reports for an empty repository. */
const NO_COMMIT = /^0+$/;

/** The output of a read step. */
interface ReadOutput extends AttachedSource {
  readonly files: number;
  readonly chunks: number;
  readonly manifests: readonly { readonly path: string; readonly text: string }[];
}

export interface RoverScriptDependencies {
  readonly tenantId: string;
  readonly question: string;
  readonly lease: RoverLease;
  readonly steps: StepRunner;
  readonly sources: ResearchSources;
  readonly searches: RoverSearches;
  readonly index: Pick<SearchIndex, 'document'>;
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly fetchers: Fetchers;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Parts of a request to a fetcher that belong to the process. */
  readonly fetchOptions: Pick<
    FetchRequest,
    'directory' | 'limits' | 'network' | 'timeoutMs' | 'slowTransfer'
  >;
  /** URL of a repository of the git host. */
  readonly urlOf: (repo: string) => string;
}

/** A finished job, ready to be stored. */
export interface FinishedScript {
  readonly place: { readonly kind: 'write'; readonly round: number; readonly ordinal: 0 };
  readonly result: RoverResult;
}

/**
 * The way of one job, without a model: understand, read, search, follow, check, write. It plans by
 * stored outputs alone, so that a job that is continued takes the same way.
 */
export class RoverScript {
  private readonly observations: Observation[] = [];
  private searched = 0;

  constructor(private readonly dependencies: RoverScriptDependencies) {}

  /** Runs all steps but the last. @throws RoverJobFailure, RoverLeaseLost. */
  async run(): Promise<FinishedScript> {
    const { steps, lease } = this.dependencies;
    const { budget } = lease.job;
    const planned = await steps.run({ kind: 'understand', round: 0, ordinal: 0 }, () =>
      this.understand(),
    );
    if (!planned) throw new RoverJobFailure('The question could not be read');
    const { understanding, policy } = planned;
    const wanted = await this.chosen(understanding, budget);
    const reads: ReadOutput[] = [];
    for (const [ordinal, repo] of wanted.entries()) {
      const read = await this.read(ordinal, repo, wanted);
      if (read) reads.push(read);
    }
    const report = wanted.map((repo) => this.report(repo, reads));
    if (reads.length === 0) throw new RoverJobFailure(noneRead(report));
    let coverage = await this.firstRound(understanding, reads, policy);
    let round = 1;
    for (; round < budget.rounds && coverage.uncovered.length > 0;) {
      const next = await this.nextRound(round + 1, understanding, coverage, reads, policy);
      if (!next) break;
      round += 1;
      coverage = next;
    }
    return {
      place: { kind: 'write', round, ordinal: 0 },
      result: this.result(understanding, coverage, report, policy),
    };
  }

  private async understand(): Promise<
    StepResult<{ understanding: Understanding; policy: AppliedPolicy }>
  > {
    const { question, tenantId, searches } = this.dependencies;
    const understanding = understand(question);
    const { identifiers, paths, terms } = understanding;
    return {
      output: { understanding, policy: await searches.policyOf(tenantId) },
      details: { identifiers: identifiers.length, paths: paths.length, terms: terms.length },
    };
  }

  /** Returns the repositories to read: those of the request, or those that the question names. */
  private async chosen(
    { repositories }: Understanding,
    { repositories: most }: RoverBudget,
  ): Promise<readonly string[]> {
    const { lease, steps } = this.dependencies;
    if (lease.job.repos.length > 0) return lease.job.repos.slice(0, most);
    const chosen = await steps.run({ kind: 'choose', round: 0, ordinal: 0 }, () =>
      repositories.length === 0
        ? Promise.reject(new StepFailed('github_unavailable'))
        : Promise.resolve({
            output: { repos: repositories.slice(0, most) },
            details: { repositories: Math.min(most, repositories.length) },
          }),
    );
    if (chosen) return chosen.repos;
    throw new RoverJobFailure('The question names no repository; name some in `repos`');
  }

  private read(ordinal: number, repo: string, all: readonly string[]): Promise<ReadOutput | null> {
    const place = { kind: 'read', round: 0, ordinal, repo } as const;
    return this.dependencies.steps.run(place, async (attempt) => {
      // The syncs of all repositories run side by side.
      if (ordinal === 0) await this.prepare(all.slice(1));
      return this.readOne(repo, attempt);
    });
  }

  private async readOne(repo: string, attempt: StepAttempt): Promise<StepResult<ReadOutput>> {
    const { tenantId, lease, sources, steps, clock, signal } = this.dependencies;
    const known = lease.job.attached.find((attached) => attached.repo === repo);
    const commit = known?.commit ?? (await this.headOf(repo));
    const sourceId = known?.source_id ?? (await sources.register({ tenantId, repo, commit }));
    const { stepId: step_id } = attempt;
    await lease.write({
      type: 'AttachRepository',
      data: {
        step_id,
        attempt: attempt.attempt,
        repo,
        commit,
        source_id: sourceId,
        origin: 'temporary',
      },
    });
    const timeout = AbortSignal.timeout(Math.max(1, steps.remainingMs));
    const waited = sources
      .read(tenantId, sourceId, AbortSignal.any([signal, timeout]))
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw timeout.aborted ? new StepFailed('budget_reached') : error;
      });
    const { generation, manifest, files, chunks } = await waited;
    const syncedAt = clock.now().getTime();
    const manifests = await this.manifestsOf({ sourceId, generation, manifest });
    return {
      output: { repo, commit, sourceId, generation, syncedAt, files, chunks, manifests },
      details: { files, chunks },
    };
  }

  /** Begins the syncs of further repositories; a failure shows in their own steps. */
  private async prepare(repos: readonly string[]): Promise<void> {
    const { tenantId, sources } = this.dependencies;
    await Promise.allSettled(
      repos.map(async (repo) =>
        sources.prepare({ tenantId, repo, commit: await this.headOf(repo) }),
      ),
    );
  }

  /** Returns the commit of the default branch. @throws StepFailed. */
  private async headOf(repo: string): Promise<string> {
    const { fetchers, tenantId, fetchOptions, signal, urlOf } = this.dependencies;
    const definition: SourceDefinition = {
      source_type: 'repo',
      url: urlOf(repo),
      include_patterns: [],
      exclude_patterns: [],
    };
    const request = { ...fetchOptions, tenantId, definition, recipe: '', signal };
    const version = await fetchers.repo?.resolve(request).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new StepFailed(reasonOf(error));
    });
    if (!version?.ref) throw new StepFailed('repository_unavailable');
    if (NO_COMMIT.test(version.ref)) throw new StepFailed('repository_empty');
    return version.ref;
  }

  private async manifestsOf({
    sourceId,
    generation,
    manifest,
  }: {
    readonly sourceId: string;
    readonly generation: number;
    readonly manifest: string;
  }): Promise<ReadOutput['manifests']> {
    const { blobs, index, tenantId } = this.dependencies;
    const content = await ifThere(readManifest(blobs, manifest));
    const paths = (content?.documents ?? []).map(({ path }) => path).filter(isManifestPath);
    const found = [];
    for (const path of paths.slice(0, MOST_MANIFESTS)) {
      const chunks = await index.document({ tenantId, sourceId, generation }, path);
      const text = chunks.map((chunk) => chunk.content).join('\n');
      found.push({ path, text: text.slice(0, MOST_MANIFEST_CHARACTERS) });
    }
    return found;
  }

  private async firstRound(
    understanding: Understanding,
    reads: readonly ReadOutput[],
    policy: AppliedPolicy,
  ): Promise<Coverage> {
    const repositories = reads.map(({ repo }) => repo);
    await this.search(1, searchActions({ understanding, repositories, limit: this.left }), {
      reads,
      policy,
    });
    const followed = await this.dependencies.steps.run(
      { kind: 'follow', round: 1, ordinal: 0 },
      () => {
        const limit = Math.min(MOST_FOLLOWED, this.left);
        const actions = followActions({
          understanding,
          repositories: reads,
          observations: this.observations,
          limit,
        });
        return Promise.resolve({ output: { actions }, details: { searches: actions.length } });
      },
    );
    await this.search(1, followed?.actions ?? [], { reads, policy });
    return this.check(1, understanding, reads);
  }

  /** Searches for what is uncovered. @returns null if the round added nothing. */
  private async nextRound(
    round: number,
    understanding: Understanding,
    coverage: Coverage,
    reads: readonly ReadOutput[],
    policy: AppliedPolicy,
  ): Promise<Coverage | null> {
    const repositories = reads.map(({ repo }) => repo);
    const { observations } = this;
    const actions = termActions({ coverage, repositories, observations, limit: this.left });
    if (actions.length === 0) return null;
    const before = [...observations];
    await this.search(round, actions, { reads, policy });
    if (!addsPassages(before, observations.slice(before.length))) return null;
    return this.check(round, understanding, reads);
  }

  /** Runs searches, each as a step. Numbers go on through all searches of the job. */
  private async search(
    round: number,
    actions: readonly SearchAction[],
    { reads, policy }: { readonly reads: readonly ReadOutput[]; readonly policy: AppliedPolicy },
  ): Promise<void> {
    const { steps, searches, tenantId } = this.dependencies;
    for (const action of actions.slice(0, this.left)) {
      const [only, ...others] = action.repositories;
      const repo = others.length === 0 && only !== undefined ? { repo: only } : {};
      const ordinal = this.searched;
      const observation = await steps.run(
        { kind: 'search', round, ordinal, ...repo },
        async (): Promise<StepResult<Observation>> => {
          const passages = await searches.run(tenantId, action, reads, policy);
          return {
            output: { action, passages },
            details: { results: passages.length },
            usage: { searches: 1 },
          };
        },
      );
      this.searched += 1;
      if (observation) this.observations.push(observation);
    }
  }

  private async check(
    round: number,
    understanding: Understanding,
    reads: readonly ReadOutput[],
  ): Promise<Coverage> {
    const coverageNow = () =>
      checkCoverage({
        understanding,
        repositories: reads.map(({ repo }) => repo),
        passages: mergeObservations(this.observations),
      });
    const checked = await this.dependencies.steps.run({ kind: 'check', round, ordinal: 0 }, () => {
      const coverage = coverageNow();
      const { covered, uncovered } = coverage;
      const details = { covered: covered.length, uncovered: uncovered.length };
      return Promise.resolve({ output: { coverage }, details });
    });
    return checked?.coverage ?? coverageNow();
  }

  private result(
    understanding: Understanding,
    coverage: Coverage,
    read: readonly RoverRead[],
    policy: AppliedPolicy,
  ): RoverResult {
    const evidence = chooseEvidence({
      understanding,
      passages: mergeObservations(this.observations),
    });
    const written = writeAnswer({
      understanding,
      evidence,
      coverage,
      repositories: read.flatMap(({ repo, commit }) => (commit === null ? [] : [repo])),
      unread: read.flatMap(({ repo, reason }) => (reason === null ? [] : [{ repo, reason }])),
    });
    return {
      ...written,
      read,
      planner: 'rules',
      searches: this.observations.map(({ action, passages }) => ({
        query: action.query,
        results: passages.length,
      })),
      policy_revision: policy.revision,
    };
  }

  private report(repo: string, reads: readonly ReadOutput[]): RoverRead {
    const read = reads.find((each) => each.repo === repo);
    if (read) {
      const { commit, files, chunks } = read;
      return { repo, commit, files, chunks, complete: true, reason: null };
    }
    const step = this.dependencies.lease.job.steps.find(
      (each) => each.kind === 'read' && each.repo === repo,
    );
    const reason = step?.reason ?? 'budget_reached';
    return { repo, commit: null, files: 0, chunks: 0, complete: false, reason };
  }

  private get left(): number {
    return Math.max(0, this.dependencies.lease.job.budget.searches - this.searched);
  }
}

function noneRead(report: readonly RoverRead[]): string {
  const each = report.map(({ repo, reason }) => `${repo} (${reason})`).join(', ');
  return `No repository could be read: ${each}`.slice(0, 1_000);
}
