import type { Citation, Confidence } from '#contracts';

/**
 * Support of a claim by its cited passages.
 * `quoted`: the claim is text of a passage. `supported`: every name and number and most words are
 * in the passages. `weak`: fewer words are.
 */
export type Support = 'quoted' | 'supported' | 'weak';

/** A citation of search with what a reader needs to check it. */
export interface ResearchCitation extends Citation {
  /** Number of the citation in the answer, from 1, as text. */
  readonly id: string;
  /** `owner/name`. */
  readonly repo: string;
  /** The cited lines at the commit, unchanged. */
  readonly content: string;
  /** SHA-256 of `content` in UTF-8, lowercase hex. */
  readonly sha256: string;
}

export interface ResearchClaim {
  /** Markdown without citation marks. */
  readonly text: string;
  /** Ids of citations; never empty. */
  readonly citations: readonly string[];
  readonly support: Support;
}

export interface ResearchSection {
  readonly title: string;
  readonly claims: readonly ResearchClaim[];
}

/** A checked answer. */
export interface ResearchAnswer {
  /** Markdown with marks (`[1]`) and a list of the citations. */
  readonly answer: string;
  readonly sections: readonly ResearchSection[];
  /** Parts of the question without evidence, one sentence each. */
  readonly not_found: readonly string[];
  readonly confidence: Confidence;
  /** Exactly those that a claim cites, in the order of their ids. */
  readonly citations: readonly ResearchCitation[];
}

/** A model's answer before the checks. Everything in it is untrusted. */
export interface AnswerDraft {
  readonly sections: readonly {
    readonly title: string;
    readonly claims: readonly {
      readonly text: string;
      /** Numbers of listed passages, from 1. */
      readonly passages: readonly number[];
    }[];
  }[];
  readonly not_found: readonly string[];
}
