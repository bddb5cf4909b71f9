export { CorruptedIdempotencyError, isCorruptedIdempotency } from './errors/corrupted-idempotency.error.js';
export { InvalidEventError, isInvalidEvent } from './errors/invalid-event.error.js';
export { LogDamagedError, isLogDamaged } from './errors/log-damaged.error.js';
export { LogFailedError, isLogFailed } from './errors/log-failed.error.js';
export { OutcomeUnknownError, isOutcomeUnknown } from './errors/outcome-unknown.error.js';
export { WrongExpectedRevisionError, isWrongExpectedRevision } from './errors/wrong-expected-revision.error.js';
export {
  EVENT_STORE,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type ReadOptions,
  type SubscribeOptions,
  type SubscriptionDelivery,
  type SubscriptionFilter,
} from './event-store.port.js';
export {
  openSqliteEventStore,
  type SqliteEventStore,
  type SqliteEventStoreOptions,
} from './sqlite/sqlite-event-store.js';
