/** A page of a list: `skip` rows are passed over, at most `limit` returned. */
export interface Page {
  readonly skip: number;
  readonly limit: number;
}
