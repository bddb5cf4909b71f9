export { appendSurely, pauseBefore, type AppendTarget } from './commands/append-surely.js';
export type { CommandResult } from './commands/command-result.js';
export { foldStream, type Evolver, type FoldedStream } from './commands/fold-stream.js';
export {
  handleCommand,
  type CommandContext,
  type ExpectedStream,
  type HandleCommand,
} from './commands/handle-command.js';
export { proposeEvents } from './commands/propose-events.js';
export { CorruptedIdempotencyError, isCorruptedIdempotency } from './errors/corrupted-idempotency.error.js';
export { DeliveryOrderError, isDeliveryOrder } from './errors/delivery-order.error.js';
export { InvalidEventError, isInvalidEvent } from './errors/invalid-event.error.js';
export { LogDamagedError, isLogDamaged } from './errors/log-damaged.error.js';
export { LogFailedError, isLogFailed } from './errors/log-failed.error.js';
export { OutcomeUnknownError, isOutcomeUnknown } from './errors/outcome-unknown.error.js';
export { PositionAheadError, isPositionAhead } from './errors/position-ahead.error.js';
export { UnreadableEventError, isUnreadableEvent } from './errors/unreadable-event.error.js';
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
export { inOrder } from './in-order.js';
export { logIdOf, readLogId } from './identity/log-id.js';
export type { EventStoreDbOptions } from './eventstoredb/eventstoredb-event-store.js';
export { followLog, oneByOne, type FollowLogOptions, type TakeDeliveries } from './follow-log.js';
export { readEvent, type ReadEvent } from './serialisation/read-event.js';
export { upcast, type RecordedDomainEvent, type Upcasted } from './serialisation/upcast.js';
export {
  openSqliteEventStore,
  type SqliteEventStore,
  type SqliteEventStoreOptions,
} from './sqlite/sqlite-event-store.js';
