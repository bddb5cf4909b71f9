/** A page of a list: skips `skip` rows and returns at most `limit`. */
export interface Page {
  readonly skip: number;
  readonly limit: number;
}
