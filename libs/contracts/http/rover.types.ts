import type { Citation, Confidence } from './search.types.js';

/** A passage of a repository at a commit, which is `version_ref`. */
export interface RoverCitation extends Citation {
  /** Number of the citation in the answer, from 1, as text. */
  readonly id: string;
  /** `owner/repo`. */
  readonly repo: string;
  /** The cited lines at the commit, unchanged. */
  readonly content: string;
  /** SHA-256 of `content` in UTF-8, lower-case hex. */
  readonly sha256: string;
  /** Id of the file's blob in git; absent if it was unknown, and in older jobs. */
  readonly blob_id?: string;
}

/** One sentence of an answer. */
interface RoverClaim {
  readonly text: string;
  /** Ids of citations; never empty. */
  readonly citations: readonly string[];
  readonly support: 'quoted' | 'supported' | 'weak';
}

export interface RoverSection {
  readonly title: string;
  readonly claims: readonly RoverClaim[];
}

/** The content that a job read of one repository. */
export interface RoverRead {
  readonly repo: string;
  /** Null if it could not be read. */
  readonly commit: string | null;
  readonly files: number;
  readonly chunks: number;
  /** True if everything that a source takes was read. */
  readonly complete: boolean;
  /** The reason if it is not complete; else null. */
  readonly reason: string | null;
  /** The source that was read. Absent if it is not complete, and in older jobs: temporary. */
  readonly origin?: 'temporary' | 'tenant';
}

/** The stored result of a completed job. */
export interface RoverResult {
  /** Markdown. */
  readonly answer: string;
  readonly sections: readonly RoverSection[];
  readonly not_found: readonly string[];
  readonly confidence: Confidence;
  readonly citations: readonly RoverCitation[];
  readonly read: readonly RoverRead[];
  /** The planner of the job: `rules`, or the id of a model. */
  readonly planner: string;
  /** The searches that ran, in order. */
  readonly searches: readonly { readonly query: string; readonly results: number }[];
  /** Revision of the policy that applied; null while it was never changed. */
  readonly policy_revision: number | null;
}
