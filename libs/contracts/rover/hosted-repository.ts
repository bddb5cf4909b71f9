/** A repository as the search or the description of its host has it. */
export interface HostedRepository {
  /** `owner/name` in the host's spelling; the new name of a renamed repository. */
  readonly repo: string;
  /** Untrusted text; null if there is none. */
  readonly description: string | null;
  readonly stars: number;
  readonly isArchived: boolean;
  readonly isFork: boolean;
  /** Size on the host in KiB, with all history. */
  readonly sizeKib: number;
  readonly defaultBranch: string;
}
