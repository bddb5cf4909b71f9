import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { FootnoteError, type RoverCitation } from '#contracts';
import type { RoverVerificationView } from '#contracts/http/index';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { checkAtCommit, type CheckedCitation, checkWithoutCommit } from './citation-check.js';
import { CitedRepositories, type ReadFiles } from './cited-repositories.js';
import { RoverJobs } from './rover-jobs.js';

/** Fetches the cited commits again and compares them with the citations. Charges nothing. */
export class VerifyRoverJob extends Query<RoverVerificationView> {
  constructor(
    readonly caller: Caller,
    readonly jobId: string,
  ) {
    super();
  }
}

@Handles(VerifyRoverJob)
export class VerifyRoverJobHandler implements IQueryHandler<VerifyRoverJob> {
  constructor(
    private readonly jobs: RoverJobs,
    private readonly repositories: CitedRepositories,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws FootnoteError `rover_job_not_completed`, `receipt_erased` and those of the reads. */
  async execute({ caller, jobId }: VerifyRoverJob): Promise<RoverVerificationView> {
    const { status, citations, confidence } = await this.jobs.get(caller, jobId);
    if (status !== 'completed')
      throw new FootnoteError('rover_job_not_completed', `Rover job ${jobId} is ${status}`);
    if (confidence === null)
      throw new FootnoteError('receipt_erased', 'The answer was erased with the key of its tenant');
    const checked = await this.repositories.reading(caller.tenantId, (read) =>
      checkAll(citations, read),
    );
    const views = citations.map(({ id, repo, version_ref, path }, at) => {
      const { status: state, detail } = checked[at] ?? { status: 'gone', detail: null };
      return { id, repo, commit: version_ref, path, status: state, detail };
    });
    const count = (wanted: CheckedCitation['status']) =>
      views.filter((view) => view.status === wanted).length;
    return {
      id: jobId,
      verified_at: this.clock.now().toISOString(),
      matches: count('matches'),
      changed: count('changed'),
      gone: count('gone'),
      citations: views,
    };
  }
}

/** Checks citations in their order, one repository and commit after another. */
async function checkAll(
  citations: readonly RoverCitation[],
  read: ReadFiles,
): Promise<CheckedCitation[]> {
  const checks = new Map<string, Promise<(citation: RoverCitation) => CheckedCitation>>();
  const checked: CheckedCitation[] = [];
  for (const citation of citations) {
    const { repo, version_ref: commit } = citation;
    const key = `${repo}\n${commit}`;
    const known = checks.get(key) ?? checkOf(citations, repo, commit, read);
    checks.set(key, known);
    checked.push((await known)(citation));
  }
  return checked;
}

/** Returns the check of the citations of one repository at one commit. */
async function checkOf(
  citations: readonly RoverCitation[],
  repo: string,
  commit: string,
  read: ReadFiles,
): Promise<(citation: RoverCitation) => CheckedCitation> {
  const own = citations.filter((each) => each.repo === repo && each.version_ref === commit);
  const paths = new Set(own.map(({ path }) => path));
  const then = await read(repo, commit, paths);
  if (then) return (citation) => checkAtCommit(citation, then);
  const now = await read(repo, undefined, paths);
  return (citation) => checkWithoutCommit(citation, now);
}
