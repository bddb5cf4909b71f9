/** Sums over the whole stream. Windows are not part of it: they depend on the time of asking. */
export interface QuotaState {
  readonly consumed: number;
  readonly returned: number;
}
