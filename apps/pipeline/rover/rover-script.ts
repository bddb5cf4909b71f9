import type { RoverRead, RoverResult } from '#contracts';
import { roverReasonText } from '#domain';
import type { RepositoryHost } from '#ingest/github/repository-host.port';
import {
  actionsTask,
  addsPassages,
  checkCoverage,
  chooseTask,
  type Coverage,
  followActions,
  mergeObservations,
  MOST_CANDIDATES,
  type Observation,
  type RankedRepository,
  type SearchAction,
  searchActions,
  termActions,
  understand,
  type Understanding,
  understandTask,
} from '#research';

import { chooseRepositories, type ChosenRepository } from './choose-repositories.js';
import type { ModelDecision, ModelPlanner } from './model-planner.js';
import { PinnedSources, type Replacements } from './pinned-sources.js';
import { RepositoryHeads, type RepositoryHeadsDependencies } from './repository-heads.js';
import {
  type ReadOutput,
  RepositoryReader,
  type RepositoryReaderDependencies,
} from './repository-reader.js';
import { inWords, ResultComposer } from './result-composer.js';
import type { AppliedPolicy, RoverSearches } from './rover-searches.js';
import { RoverJobFailure } from './step-failure.js';
import type { StepResult } from './step-runner.js';

/** Limits of decisions before the answer, which keeps a call and most of the time. */
const BEFORE_ANSWER = { reservedCalls: 1, timeShare: 0.25 };
/** Follow-up searches of one round. */
const MOST_FOLLOWED = 6;
export interface RoverScriptDependencies
  extends Omit<RepositoryReaderDependencies, 'heads'>, Omit<RepositoryHeadsDependencies, 'lease'> {
  readonly question: string;
  readonly searches: Pick<RoverSearches, 'policyOf' | 'run'>;
  readonly host: Pick<RepositoryHost, 'search'>;
  readonly planner: Pick<ModelPlanner, 'decide' | 'hasModel'>;
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
 * The way of one job: understand, read, search, follow, check, write. It plans by stored outputs
 * alone, so that a job that is continued takes the same way. A model decides where one is
 * configured, else the rules do; only the rules judge coverage and confidence.
 */
export class RoverScript {
  private readonly observations: Observation[] = [];
  private searched = 0;
  private readonly heads: RepositoryHeads;
  private readonly reader: RepositoryReader;
  private readonly pinned: PinnedSources;
  private readonly composer: ResultComposer;

  constructor(private readonly dependencies: RoverScriptDependencies) {
    const { own, tenantId } = dependencies;
    this.heads = new RepositoryHeads(dependencies);
    this.reader = new RepositoryReader({ ...dependencies, heads: this.heads });
    this.pinned = new PinnedSources({
      own,
      readAgain: ({ repo, commit }, attempt) =>
        this.reader.readTemporary({ tenantId, repo, commit }, attempt),
    });
    const { reader, pinned } = this;
    this.composer = new ResultComposer({ ...dependencies, reader, pinned });
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
    const { understanding, policy, searching = understanding } = planned;
    const wanted = await this.chosen(searching);
    const byName = await this.readAll(wanted);
    // Two names of one repository are one repository.
    const reads = [...new Map([...byName.values()].map((read) => [read.repo, read])).values()];
    const report = () => wanted.map(({ repo }) => this.composer.report(repo, byName.get(repo)));
    if (reads.length === 0) throw new RoverJobFailure(noneRead(report()));
    const asked = { understanding, searching };
    let checked = await this.firstRound(asked, reads, policy);
    let round = 1;
    for (; round < budget.rounds && isUnfinished(checked);) {
      const next = await this.nextRound(round + 1, asked, checked, reads, policy);
      if (!next) break;
      round += 1;
      checked = next;
    }
    return {
      place: { kind: 'write', round, ordinal: 0 },
      result: await this.composer.compose({
        round,
        understanding,
        coverage: checked.coverage,
        observations: this.observations,
        reads,
        read: report(),
        policyRevision: policy.revision,
      }),
    };
  }

  private async understand(): Promise<
    StepResult<{
      understanding: Understanding;
      policy: AppliedPolicy;
      searching?: Understanding;
    }>
  > {
    const { question, tenantId, searches, planner } = this.dependencies;
    const understanding = understand(question);
    const { plan, ...decision } = await planner.decide(
      understandTask(understanding),
      BEFORE_ANSWER,
    );
    const { identifiers, paths, terms } = plan ?? understanding;
    const policy = await searches.policyOf(tenantId);
    return {
      output: { understanding, policy, ...(plan && { searching: plan }) },
      details: { identifiers: identifiers.length, paths: paths.length, terms: terms.length },
      ...decision,
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
    const { host, tenantId, lease, steps, clock, signal, planner } = this.dependencies;
    const limit = lease.job.budget.repositories;
    const inQuestion = understanding.repositories.slice(0, limit);
    for (const repo of inQuestion) {
      // Prose joins words with a slash too. One that exists shows that names were meant.
      if (!(await this.heads.exists(repo))) continue;
      const chosen = named(inQuestion);
      return { output: { chosen }, details: { repositories: chosen.length } };
    }
    const waitMs = steps.remainingMs / 2;
    const decide = (ranked: readonly RankedRepository[]) =>
      planner.decide(chooseTask(understanding.question, ranked, limit), BEFORE_ANSWER);
    const request = { host, understanding, tenantId, limit, waitMs, clock, signal, decide };
    return chooseRepositories(request);
  }

  /**
   * Reads the smallest repository first.
   * @returns what was read by its chosen name, in the order of the choice.
   */
  private async readAll(
    wanted: readonly ChosenRepository[],
  ): Promise<ReadonlyMap<string, ReadOutput>> {
    const order = await this.heads.inReadingOrder(wanted);
    const reads = new Map<string, ReadOutput>();
    for (const [at, chosen] of order.entries()) {
      const ordinal = wanted.findIndex(({ repo }) => repo === chosen.repo);
      const place = { kind: 'read', round: 0, ordinal, repo: chosen.repo } as const;
      const read = await this.dependencies.steps.run(place, async (attempt) => {
        await this.reader.prepare(order.slice(at + 1));
        return this.reader.read(chosen, attempt);
      });
      if (read) reads.set(chosen.repo, read);
    }
    return new Map(
      wanted.flatMap(({ repo }) => {
        const read = reads.get(repo);
        return read ? [[repo, read] as const] : [];
      }),
    );
  }

  private async firstRound(
    asked: Asked,
    reads: readonly ReadOutput[],
    policy: AppliedPolicy,
  ): Promise<Checked> {
    const { searching: understanding } = asked;
    const repositories = reads.map(({ repo }) => repo);
    await this.search(1, searchActions({ understanding, repositories, limit: this.left }), {
      reads,
      policy,
    });
    const followed = await this.dependencies.steps.run(
      { kind: 'follow', round: 1, ordinal: 0 },
      async (): Promise<StepResult<{ readonly actions: readonly SearchAction[] }>> => {
        const limit = Math.min(MOST_FOLLOWED, this.left);
        const candidates = this.candidates(asked, reads);
        const { plan, ...decision } = await this.nextActions(candidates, understanding, limit);
        const { observations } = this;
        const byRules = { understanding, repositories: reads, observations, limit };
        const actions = plan ?? followActions(byRules);
        return { output: { actions }, details: { searches: actions.length }, ...decision };
      },
    );
    await this.search(1, followed?.actions ?? [], { reads, policy });
    return this.check(1, asked, reads);
  }

  /** Searches for what is uncovered. @returns null if the round added nothing. */
  private async nextRound(
    round: number,
    asked: Asked,
    { coverage, next }: Checked,
    reads: readonly ReadOutput[],
    policy: AppliedPolicy,
  ): Promise<Checked | null> {
    const repositories = reads.map(({ repo }) => repo);
    const { observations } = this;
    const limit = this.left;
    const actions = next ?? termActions({ coverage, repositories, observations, limit });
    if (actions.length === 0) return null;
    const before = [...observations];
    await this.search(round, actions, { reads, policy });
    if (!addsPassages(before, observations.slice(before.length))) return null;
    return this.check(round, asked, reads);
  }

  /** Returns the searches that a model may choose from, most useful first. */
  private candidates(
    { understanding, searching }: Asked,
    reads: readonly ReadOutput[],
  ): SearchAction[] {
    if (!this.dependencies.planner.hasModel) return [];
    const { observations } = this;
    const coverage = this.coverage(understanding, reads);
    const repositories = reads.map(({ repo }) => repo);
    const limit = MOST_CANDIDATES / 2;
    const followed = { understanding: searching, repositories: reads, observations, limit };
    return [
      ...followActions(followed),
      ...termActions({ coverage, repositories, observations, limit }),
    ];
  }

  private nextActions(
    actions: readonly SearchAction[],
    { question }: Understanding,
    limit: number,
  ): Promise<ModelDecision<readonly SearchAction[]>> {
    const passages = mergeObservations(this.observations);
    const task = actionsTask({ question, passages, actions, limit });
    return this.dependencies.planner.decide(task, BEFORE_ANSWER);
  }

  private coverage(understanding: Understanding, reads: readonly ReadOutput[]): Coverage {
    return checkCoverage({
      understanding,
      repositories: reads.map(({ repo }) => repo),
      passages: mergeObservations(this.observations),
    });
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

  private async check(round: number, asked: Asked, reads: readonly ReadOutput[]): Promise<Checked> {
    const { steps, lease } = this.dependencies;
    const place = { kind: 'check', round, ordinal: 0 } as const;
    const checked = await steps.run(place, async (): Promise<StepResult<Checked>> => {
      const coverage = this.coverage(asked.understanding, reads);
      const { covered, uncovered } = coverage;
      const details = { covered: covered.length, uncovered: uncovered.length };
      // The last round has no next one to decide.
      const candidates = round < lease.job.budget.rounds ? this.candidates(asked, reads) : [];
      const limit = Math.min(MOST_FOLLOWED, this.left);
      const { plan, ...decision } = await this.nextActions(candidates, asked.searching, limit);
      return { output: { coverage, ...(plan && { next: plan }) }, details, ...decision };
    });
    return checked ?? { coverage: this.coverage(asked.understanding, reads) };
  }

  private get left(): number {
    return Math.max(0, this.dependencies.lease.job.budget.searches - this.searched);
  }
}

/** The question as the rules read it, and as the searches ask it. */
interface Asked {
  readonly understanding: Understanding;
  readonly searching: Understanding;
}

/** The result of a check. */
interface Checked {
  readonly coverage: Coverage;
  /** Searches of the next round that a model chose; absent if the rules decide. */
  readonly next?: readonly SearchAction[];
}

function isUnfinished({ coverage, next }: Checked): boolean {
  return next ? next.length > 0 : coverage.uncovered.length > 0;
}

/** Returns repositories that were named, whose sizes are unknown. */
function named(repos: readonly string[]): ChosenRepository[] {
  return repos.map((repo) => ({ repo, sizeKib: null }));
}

function noneRead(report: readonly RoverRead[]): string {
  const each = report
    .map(({ repo, reason }) => `${repo} (${inWords(reason ?? 'read_failed')})`)
    .join(', ');
  return `No repository could be read: ${each}`.slice(0, 1_000);
}
