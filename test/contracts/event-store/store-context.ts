import type { EventStore } from '#event-store';

/** The store that the suite runs on; another instance after `reopen`. */
export interface StoreContext {
  readonly store: EventStore;
  /**
   * Closes the store and opens it again on the same data; does nothing where the adapter cannot.
   */
  reopen(): Promise<void>;
}
