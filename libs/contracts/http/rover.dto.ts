import { ApiProperty } from '@nestjs/swagger';

import { MOST_ROVER_REPOS } from '../content/answer-limits.js';
import { JOB_STATUSES, type JobStatus } from '../content/statuses.js';
import {
  MOST_ROVER_QUESTION,
  ROVER_MODES,
  ROVER_STEP_KINDS,
  ROVER_STEP_STATUSES,
  type RoverMode,
  type RoverStepKind,
  type RoverStepStatus,
} from '../rover/rover-job.js';
import { ReceiptPolicyView } from './receipt.dto.js';
import { CitationView } from './search.dto.js';
import { type Confidence, CONFIDENCES } from './search.types.js';
import { RepositoryList } from './validation/list.js';
import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Choice, Text } from './validation/text.js';

export class CreateRoverJobBody {
  @Text({ max: MOST_ROVER_QUESTION })
  @ApiProperty({ example: 'Which retry settings of urllib3 does requests use?' })
  question: string;

  /** GitHub repositories to read, at most 3 in mode `fast`. Default: the job chooses them. */
  @Optional()
  @RepositoryList(MOST_ROVER_REPOS.deep)
  repos?: string[];

  @Optional()
  @Choice(...ROVER_MODES)
  mode: RoverMode = 'fast';
}

export class ListRoverJobsQuery {
  @Optional()
  @QueryWholeNumber(1, 9_999_999)
  page: number = 1;

  @Optional()
  @QueryWholeNumber(1, 100)
  per_page: number = 20;
}

export class RoverStepView {
  id: string;
  @ApiProperty({ enum: [...ROVER_STEP_KINDS] })
  kind: RoverStepKind;
  title: string;
  @ApiProperty({ enum: [...ROVER_STEP_STATUSES] })
  status: RoverStepStatus;
  @ApiProperty({ format: 'date-time' })
  started_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;
  /** Counters of the step, or why it failed. */
  @ApiProperty({ type: String, nullable: true })
  detail: string | null;
}

/** A passage of a repository at a commit. */
export class RoverCitationView extends CitationView {
  /** Number of the citation in the answer. */
  id: string;
  /** `owner/repo` */
  repo: string;
  content: string;
  /** SHA-256 of `content` in UTF-8. */
  sha256: string;
  /** Id of the file's blob in git; left out if it was unknown. */
  blob_id?: string;
}

const SUPPORTS = ['quoted', 'supported', 'weak'] as const;

export class RoverClaimView {
  text: string;
  /** Ids of citations. */
  citations: string[];
  @ApiProperty({ enum: [...SUPPORTS] })
  support: (typeof SUPPORTS)[number];
}

export class RoverSectionView {
  title: string;
  claims: RoverClaimView[];
}

/** The content that a job read of one repository. */
export class RoverReadView {
  repo: string;
  @ApiProperty({ type: String, nullable: true })
  commit: string | null;
  files: number;
  chunks: number;
  complete: boolean;
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  /**
   * `tenant`: a source of the tenant served, so that nothing was cloned. `temporary`: a source of
   * rover jobs alone. Null if the repository was not read.
   */
  @ApiProperty({ enum: ['temporary', 'tenant'], nullable: true, type: String })
  origin: 'temporary' | 'tenant' | null;
}

/** An amount of each limited resource of a job. */
export class RoverAmountsView {
  seconds: number;
  rounds: number;
  repositories: number;
  searches: number;
  model_calls: number;
  prompt_tokens: number;
}

export class RoverUsageView extends RoverAmountsView {
  completion_tokens: number;
  budget: RoverAmountsView;
}

/** A research job. */
export class RoverJobView {
  id: string;
  question: string;
  /** As requested; empty if the job chooses. */
  repos: string[];
  @ApiProperty({ enum: [...ROVER_MODES] })
  mode: RoverMode;
  @ApiProperty({ enum: [...JOB_STATUSES] })
  status: JobStatus;
  /** 0–100. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  progress_percent: number;
  /** In the order of their start. */
  steps: RoverStepView[];
  /** Markdown; null until the job is completed. */
  @ApiProperty({ type: String, nullable: true })
  answer: string | null;
  citations: RoverCitationView[];
  sections: RoverSectionView[];
  /** Parts of the question without evidence. */
  not_found: string[];
  @ApiProperty({ enum: [...CONFIDENCES], nullable: true, type: String })
  confidence: Confidence | null;
  read: RoverReadView[];
  usage: RoverUsageView;
  /** Id for `GET /receipts/{id}`; null until the job is completed. */
  @ApiProperty({ type: String, nullable: true })
  receipt_id: string | null;
  @ApiProperty({ type: String, nullable: true })
  error_message: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;
}

export class RoverJobList {
  jobs: RoverJobView[];
  total: number;
  page: number;
  per_page: number;
}

export class RoverSearchView {
  query: string;
  /** Number of its results. */
  results: number;
}

/** The evidence of a rover job, readable after its sources were removed. */
export class RoverReceiptView {
  /** Id of the rover job. */
  id: string;
  @ApiProperty({ enum: ['rover'] })
  kind: 'rover';
  /** End of the job. */
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  question: string;
  /** True once the tenant's data key was destroyed; then nothing below is known. */
  erased: boolean;
  /** Repositories with their commits. */
  read: RoverReadView[];
  /** Revision of the policy's stream; null while the policy was never changed. */
  @ApiProperty({ type: Number, nullable: true })
  policy_revision: number | null;
  policy: ReceiptPolicyView;
  /** `rules`, or the id of a model; null once erased. */
  @ApiProperty({ type: String, nullable: true })
  planner: string | null;
  /** In the order in which they ran. */
  searches: RoverSearchView[];
  citations: RoverCitationView[];
}

const CITATION_STATES = ['matches', 'changed', 'gone'] as const;

export class RoverCitationCheckView {
  /** Id of the citation in the answer. */
  id: string;
  /** `owner/repo` */
  repo: string;
  commit: string;
  path: string;
  /**
   * `matches`: the commit has the cited text. `changed`: the host no longer has the commit, or its
   * lines have another text. `gone`: the host no longer has the file or the repository.
   */
  @ApiProperty({ enum: [...CITATION_STATES] })
  status: (typeof CITATION_STATES)[number];
  @ApiProperty({ type: String, nullable: true })
  detail: string | null;
}

/** Citations of a rover job, compared with their commits as the host has them now. */
export class RoverVerificationView {
  id: string;
  @ApiProperty({ format: 'date-time' })
  verified_at: string;
  /** Number of citations with this status, as the two after it. */
  matches: number;
  changed: number;
  gone: number;
  citations: RoverCitationCheckView[];
}

/** Data of the event `status`. */
export class RoverStatusView {
  @ApiProperty({ enum: [...JOB_STATUSES] })
  status: JobStatus;
  progress_percent: number;
}

/** Data of the event `token`. */
export class RoverTokenView {
  /** The next part of the answer. */
  token: string;
}
