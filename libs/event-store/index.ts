export { appendSurely, pauseBefore } from './commands/append-surely.js';
export {
  commandContext,
  type CommandContext,
  type CommandOrigin,
} from './commands/command-context.js';
export type { CommandResult } from './commands/command-run.js';
export { hasEvents } from './commands/has-events.js';
export { foldStream, type Evolver, type FoldedStream } from './commands/fold-stream.js';
export { handleCommand, type HandleCommand } from './commands/handle-command.js';
export { findEventsAt, readEventsAt } from './commands/read-events-at.js';
export { proposeEvents } from './commands/propose-events.js';
export {
  CorruptedIdempotencyError,
  InvalidEventError,
  isCorruptedIdempotency,
  isInvalidEvent,
  isOutcomeUnknown,
  isWrongExpectedRevision,
  OutcomeUnknownError,
  WrongExpectedRevisionError,
} from './errors/append-errors.js';
export {
  DeliveryOrderError,
  isDeliveryOrder,
  isLogDamaged,
  isLogFailed,
  isPositionAhead,
  isUnreadableEvent,
  PositionAheadError,
} from './errors/log-errors.js';
export {
  EVENT_STORE,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type ReadOptions,
  type SubscribeOptions,
  type SubscriptionDelivery,
} from './event-store.port.js';
export { followLog, inOrder, oneByOne } from './follow-log.js';
export { readLogId } from './identity/log-id.js';
export type { EventStoreDbOptions } from './eventstoredb/eventstoredb-event-store.js';
export { validateEvent } from './serialization/validate-proposed.js';
export {
  readEvent,
  type ReadEvent,
  type RecordedDomainEvent,
  upcast,
} from './serialization/upcast.js';
export { openSqliteEventStore, type SqliteEventStore } from './sqlite/sqlite-event-store.js';
