/** A file with a name in it. */
export interface ReferringFile {
  readonly sourceId: string;
  readonly path: string;
  readonly language: string;
}
