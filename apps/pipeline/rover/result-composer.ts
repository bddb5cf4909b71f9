import type { RoverCitation, RoverRead, RoverResult, RoverStepReason } from '#contracts';
import { DRAFT_ORDINAL, type OpenRoverJob, roverReasonText, type RoverStep } from '#domain';
import {
  type AnswerDraft,
  answerFromDraft,
  chooseEvidence,
  type Coverage,
  mergeObservations,
  type Observation,
  type ResearchPassage,
  type Understanding,
  writeAnswer,
  writeTask,
} from '#research';

import type { ModelPlanner } from './model-planner.js';
import type { PinnedSources } from './pinned-sources.js';
import type { ReadOutput, RepositoryReader } from './repository-reader.js';
import type { StepRunner } from './step-runner.js';

/** Limits of the draft, the last decision. */
const ANSWER = { reservedCalls: 0, timeShare: 1 };

export interface ResultComposerDependencies {
  readonly lease: { readonly job: Pick<OpenRoverJob, 'steps' | 'attached'> };
  readonly steps: Pick<StepRunner, 'run'>;
  readonly planner: Pick<ModelPlanner, 'decide' | 'hasModel'>;
  readonly pinned: Pick<PinnedSources, 'now'>;
  readonly reader: Pick<RepositoryReader, 'blobIdsOf'>;
}

/** The stored facts of a job that its result consists of. */
interface ResultInput {
  readonly round: number;
  readonly understanding: Understanding;
  readonly coverage: Coverage;
  readonly observations: readonly Observation[];
  readonly reads: readonly ReadOutput[];
  readonly read: readonly RoverRead[];
  /** Null while the policy was never changed. */
  readonly policyRevision: number | null;
}

/** Composes the result of a job from its stored outputs: equal outputs give equal bytes. */
export class ResultComposer {
  constructor(private readonly dependencies: ResultComposerDependencies) {}

  /** Returns the result of a job whose last check was in a round. */
  async compose({
    round,
    understanding,
    coverage,
    observations,
    reads,
    read,
    policyRevision,
  }: ResultInput): Promise<RoverResult> {
    const passages = mergeObservations(observations);
    const evidence = chooseEvidence({ understanding, passages });
    const draft = await this.draft(round, understanding, evidence);
    const input = {
      understanding,
      evidence,
      coverage,
      repositories: read.flatMap(({ repo, complete }) => (complete ? [repo] : [])),
      unread: read.flatMap(({ repo, reason }) =>
        reason === null ? [] : [{ repo, reason: inWords(reason) }],
      ),
    };
    const written = draft ? answerFromDraft(draft, input) : writeAnswer(input);
    return {
      ...written,
      citations: await this.withBlobIds(written.citations, reads),
      read,
      planner: plannerOf(this.dependencies.lease.job.steps),
      searches: observations.map(({ action, passages }) => ({
        query: action.query,
        results: passages.length,
      })),
      policy_revision: policyRevision,
    };
  }

  /** Returns the draft of a model, which is stored before the answer uses it; null without one. */
  private async draft(
    round: number,
    { question }: Understanding,
    evidence: readonly ResearchPassage[],
  ): Promise<AnswerDraft | null> {
    const { steps, lease, planner } = this.dependencies;
    const place = { kind: 'write', round, ordinal: DRAFT_ORDINAL } as const;
    // A worker without a model still ends a draft that another one began.
    const isBegun = lease.job.steps.some(
      ({ kind, ordinal }) => kind === place.kind && ordinal === place.ordinal,
    );
    if (evidence.length === 0 || !(planner.hasModel || isBegun)) return null;
    const drafted = await steps.run(place, async () => {
      const { plan, ...decision } = await planner.decide(writeTask(question, evidence), ANSWER);
      return { output: { draft: plan }, ...decision };
    });
    return drafted?.draft ?? null;
  }

  private async withBlobIds(
    citations: readonly RoverCitation[],
    reads: readonly ReadOutput[],
  ): Promise<RoverCitation[]> {
    const cited = new Set(citations.map(({ repo }) => repo));
    const blobIds = new Map<string, ReadonlyMap<string, string>>();
    for (const read of reads) {
      const now = this.dependencies.pinned.now(read);
      const { manifest } = 'reason' in now ? read : now;
      if (cited.has(read.repo))
        blobIds.set(read.repo, await this.dependencies.reader.blobIdsOf({ manifest }));
    }
    return citations.map((citation) => {
      const blob_id = blobIds.get(citation.repo)?.get(citation.path);
      return blob_id === undefined ? citation : { ...citation, blob_id };
    });
  }

  /**
   * Returns the commit and size of a repository that was read, or why it was not.
   * @param repo the name as it was chosen; a repository that was read has its present name.
   */
  report(repo: string, read: ReadOutput | undefined): RoverRead {
    if (read) {
      const { repo: name, commit, files, chunks } = read;
      const facts = { repo: name, commit, files, chunks };
      const now = this.dependencies.pinned.now(read);
      if ('reason' in now) return { ...facts, complete: false, reason: now.reason };
      const origin = now.origin ?? 'temporary';
      return { ...facts, complete: true, reason: null, origin };
    }
    const step = this.dependencies.lease.job.steps.find(
      (each) => each.kind === 'read' && each.repo === repo,
    );
    const reason = step?.reason ?? 'budget_reached';
    const { attached } = this.dependencies.lease.job;
    const commit = attached.find((each) => each.repo === repo)?.commit ?? null;
    return { repo, commit, files: 0, chunks: 0, complete: false, reason };
  }
}

/** Returns the model that planned a step of the job last, or `rules`. */
function plannerOf(steps: readonly RoverStep[]): string {
  const planned = steps.findLast((step) => step.planned?.by === 'model')?.planned;
  return planned?.by === 'model' ? planned.model : 'rules';
}

/** Returns the text of a reason to be read within a sentence. */
export function inWords(reason: string): string {
  return roverReasonText(reason as RoverStepReason).replace(/^The /, 'the ');
}
