import type { RoverCitation, RoverRead, RoverResult } from '#contracts';
import { roverReasonText } from '#domain';
import type { RepositoryHost } from '#ingest/github/repository-host.port';
import {
  addsPassages,
  checkCoverage,
  chooseEvidence,
  type Coverage,
  followActions,
  mergeObservations,
  type Observation,
  type SearchAction,
  searchActions,
  termActions,
  understand,
  type Understanding,
  writeAnswer,
} from '#research';

import { chooseRepositories, type ChosenRepository } from './choose-repositories.js';
import { PinnedSources, type Replacements } from './pinned-sources.js';
import {
  type ReadOutput,
  RepositoryReader,
  type RepositoryReaderDependencies,
} from './repository-reader.js';
import type { AppliedPolicy, RoverSearches } from './rover-searches.js';
import { RoverJobFailure } from './step-failure.js';
import type { StepResult } from './step-runner.js';

/** Follow-up searches of one round. */
const MOST_FOLLOWED = 6;
export interface RoverScriptDependencies extends RepositoryReaderDependencies {
  readonly question: string;
  readonly searches: Pick<RoverSearches, 'policyOf' | 'run'>;
  readonly host: Pick<RepositoryHost, 'search'>;
}

/** The output of a step `search`. */
interface SearchOutput extends Observation {
  /** Sources that were gone, by repository. */
  readonly replaced?: Replacements;
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
  private hasPrepared = false;
  private readonly reader: RepositoryReader;
  private readonly pinned: PinnedSources;

  constructor(private readonly dependencies: RoverScriptDependencies) {
    const { own, tenantId } = dependencies;
    this.reader = new RepositoryReader(dependencies);
    this.pinned = new PinnedSources({
      own,
      readAgain: ({ repo, commit }, attempt) =>
        this.reader.readTemporary({ tenantId, repo, commit }, attempt),
    });
  }

  /** Runs all steps but the last. @throws RoverJobFailure, RoverLeaseLost. */
  async run(): Promise<FinishedScript> {
    try {
      return await this.steps();
    } finally {
      await this.reader.release();
    }
  }

  private async steps(): Promise<FinishedScript> {
    const { steps, lease } = this.dependencies;
    const { budget } = lease.job;
    const planned = await steps.run({ kind: 'understand', round: 0, ordinal: 0 }, () =>
      this.understand(),
    );
    if (!planned) throw new RoverJobFailure('The question could not be read');
    const { understanding, policy } = planned;
    const wanted = await this.chosen(understanding);
    const reads: ReadOutput[] = [];
    for (const [ordinal, chosen] of wanted.entries()) {
      const read = await this.read(ordinal, chosen, wanted);
      if (read) reads.push(read);
    }
    const report = () => wanted.map(({ repo }) => this.report(repo, reads));
    if (reads.length === 0) throw new RoverJobFailure(noneRead(report()));
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
      result: await this.result(understanding, coverage, reads, policy, report()),
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

  /**
   * Returns the repositories to read: those of the request, those that the question names, or those
   * that a search on the host finds.
   */
  private async chosen(understanding: Understanding): Promise<readonly ChosenRepository[]> {
    const { lease, steps } = this.dependencies;
    const { repos, budget } = lease.job;
    if (repos.length > 0) return named(repos).slice(0, budget.repositories);
    const place = { kind: 'choose', round: 0, ordinal: 0 } as const;
    const output = await steps.run(place, () => this.choose(understanding));
    if (output && output.chosen.length > 0) return output.chosen;
    const reason = lease.job.steps.find(({ kind }) => kind === 'choose')?.reason;
    const why = reason ? `: ${roverReasonText(reason)}` : '';
    throw new RoverJobFailure(`No repository was found${why}; name some in \`repos\``);
  }

  private async choose(
    understanding: Understanding,
  ): Promise<StepResult<{ readonly chosen: readonly ChosenRepository[] }>> {
    const { host, tenantId, lease, steps, clock, signal } = this.dependencies;
    const limit = lease.job.budget.repositories;
    const inQuestion = understanding.repositories.slice(0, limit);
    for (const repo of inQuestion) {
      // Prose joins words with a slash too. One that exists shows that names were meant.
      if (!(await this.reader.exists(repo))) continue;
      const chosen = named(inQuestion);
      return { output: { chosen }, details: { repositories: chosen.length } };
    }
    const waitMs = steps.remainingMs / 2;
    return chooseRepositories({ host, understanding, tenantId, limit, waitMs, clock, signal });
  }

  private read(
    ordinal: number,
    chosen: ChosenRepository,
    all: readonly ChosenRepository[],
  ): Promise<ReadOutput | null> {
    const place = { kind: 'read', round: 0, ordinal, repo: chosen.repo } as const;
    return this.dependencies.steps.run(place, async (attempt) => {
      // The syncs of all repositories run side by side, also after another worker began them.
      if (!this.hasPrepared) await this.reader.prepare(all.slice(ordinal + 1));
      this.hasPrepared = true;
      return this.reader.read(chosen, attempt);
    });
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
    const { steps, searches, tenantId, signal } = this.dependencies;
    for (const action of actions.slice(0, this.left)) {
      const [only, ...others] = action.repositories;
      const repo = others.length === 0 && only !== undefined ? { repo: only } : {};
      const ordinal = this.searched;
      const observation = await steps.run(
        { kind: 'search', round, ordinal, ...repo },
        async (attempt): Promise<StepResult<SearchOutput>> => {
          const searched = reads.filter((read) => action.repositories.includes(read.repo));
          const { result: passages, replaced } = await this.pinned.search(
            searched,
            attempt,
            (sources) => searches.run(tenantId, action, sources, policy, signal),
          );
          return {
            output: { action, passages, ...(replaced && { replaced }) },
            details: { results: passages.length },
            usage: { searches: 1 },
          };
        },
      );
      this.searched += 1;
      this.pinned.load(observation?.replaced);
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

  private async result(
    understanding: Understanding,
    coverage: Coverage,
    reads: readonly ReadOutput[],
    policy: AppliedPolicy,
    read: readonly RoverRead[],
  ): Promise<RoverResult> {
    const evidence = chooseEvidence({
      understanding,
      passages: mergeObservations(this.observations),
    });
    const written = writeAnswer({
      understanding,
      evidence,
      coverage,
      repositories: read.flatMap(({ repo, complete }) => (complete ? [repo] : [])),
      unread: read.flatMap(({ repo, reason }) => (reason === null ? [] : [{ repo, reason }])),
    });
    return {
      ...written,
      citations: await this.withBlobIds(written.citations, reads),
      read,
      planner: 'rules',
      searches: this.observations.map(({ action, passages }) => ({
        query: action.query,
        results: passages.length,
      })),
      policy_revision: policy.revision,
    };
  }

  private async withBlobIds(
    citations: readonly RoverCitation[],
    reads: readonly ReadOutput[],
  ): Promise<RoverCitation[]> {
    const cited = new Set(citations.map(({ repo }) => repo));
    const blobIds = new Map<string, ReadonlyMap<string, string>>();
    for (const read of reads) {
      const now = this.pinned.now(read);
      const { manifest } = 'reason' in now ? read : now;
      if (cited.has(read.repo)) blobIds.set(read.repo, await this.reader.blobIdsOf({ manifest }));
    }
    return citations.map((citation) => {
      const blob_id = blobIds.get(citation.repo)?.get(citation.path);
      return blob_id === undefined ? citation : { ...citation, blob_id };
    });
  }

  private report(repo: string, reads: readonly ReadOutput[]): RoverRead {
    const read = reads.find((each) => each.repo === repo);
    if (read) {
      const { commit, files, chunks } = read;
      const now = this.pinned.now(read);
      if ('reason' in now)
        return { repo, commit, files, chunks, complete: false, reason: now.reason };
      const origin = now.origin ?? 'temporary';
      return { repo, commit, files, chunks, complete: true, reason: null, origin };
    }
    const step = this.dependencies.lease.job.steps.find(
      (each) => each.kind === 'read' && each.repo === repo,
    );
    const reason = step?.reason ?? 'budget_reached';
    const { attached } = this.dependencies.lease.job;
    const commit = attached.find((each) => each.repo === repo)?.commit ?? null;
    return { repo, commit, files: 0, chunks: 0, complete: false, reason };
  }

  private get left(): number {
    return Math.max(0, this.dependencies.lease.job.budget.searches - this.searched);
  }
}

/** Returns repositories that were named, whose sizes are unknown. */
function named(repos: readonly string[]): ChosenRepository[] {
  return repos.map((repo) => ({ repo, sizeKib: null }));
}

function noneRead(report: readonly RoverRead[]): string {
  const each = report.map(({ repo, reason }) => `${repo} (${reason})`).join(', ');
  return `No repository could be read: ${each}`.slice(0, 1_000);
}
