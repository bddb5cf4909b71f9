// Every thread and process loads this file. Modules with a large dependency (undici, node-postgres)
// are imported by their paths.
export { BLOB_STORE, type BlobStore, type PutOptions } from './blob-store/blob-store.port.js';
export {
  BlobCorruptError,
  BlobNotFoundError,
  isBlobGone,
  isBlobNotFound,
} from './blob-store/blob-errors.js';
export { FsBlobStore } from './blob-store/fs/fs-blob-store.js';
export type { S3BlobStoreOptions } from './blob-store/s3/s3-blob-store.js';
export { apiKeyDigest, describeApiKey, newApiKeySecret } from './credentials/api-key-secret.js';
export { newHookSecret } from './credentials/hook-secret.js';
export { signWebhook } from './credentials/webhook-signature.js';
export { aborted, isTimeoutError, sleep, TimeoutError, withTimeout } from './clock/sleep.js';
export { CLOCK, systemClock, type Clock } from './clock/clock.js';
export { steadyTime } from './clock/steady-time.js';
export { backOffMs, type BackOff } from './concurrency/back-off.js';
export { FairSemaphore } from './concurrency/fair-semaphore.js';
export { mostOf } from './concurrency/fair-shares.js';
export { joinBytes } from './concurrency/join-bytes.js';
export { KeyedQueue } from './concurrency/keyed-queue.js';
export { mapBounded } from './concurrency/map-bounded.js';
export { SharedReading } from './concurrency/shared-reading.js';
export { Semaphore } from './concurrency/semaphore.js';
export { jsonArrayItems } from './json/array-items.js';
export { sortedInSlices } from './concurrency/sorted-in-slices.js';
export { TimeSlices } from './concurrency/time-slices.js';
export {
  SMALL_YOUNG_GENERATION,
  ThreadClient,
  type ThreadTrouble,
} from './concurrency/thread-client.js';
export { type Fault } from './concurrency/thread-protocol.js';
export { transferablesOf } from './concurrency/transferables.js';
export { ConfigError } from './config/config-error.js';
export { loadConfig, type Config } from './config/load-config.js';
export { configurationPage } from './config/configuration-page.js';

export { type EmbeddingSettings } from './config/embedding-settings.js';
export { type RerankSettings } from './config/rerank-settings.js';

export {
  type PackageSettings,
  type PrivateRegistry,
  type RegistryAddress,
} from './config/package-settings.js';
export { type IdentitySettings } from './config/identity-settings.js';

export { VARIABLES } from './config/variables.js';
export { CHAT_PROVIDERS, type ChatProvider } from './config/chat-providers.js';
export { silenceTracing } from './config/silence-tracing.js';
export { NO_TRACER } from './tracing/no-tracer.js';
export { openTracer } from './tracing/open-tracer.js';
export type { OpenSpan, SpanAttributes, Tracer } from './tracing/tracer.port.js';
export { folderBytes } from './files/folder-bytes.js';
export { uuidv5 } from './ids/derived-id.js';
export { FIRST_TENANT_ID, eventId, isUuid, uuidv7 } from './ids/ids.js';
export { revisionOf, revisionId } from './ids/revision-id.js';
export { alwaysHeld } from './lease/always-held.js';
export { type LeaseHolder } from './lease/lease.port.js';
export { type LockedCopies } from './locked-copies/locked-copies.port.js';

export { seeded } from './random/seeded.js';
export { growingCache } from './memory/growing-cache.js';
export { MemoryRateLimiter } from './rate-limit/memory-rate-limiter.js';
export { type RateDecision, type RateLimiter } from './rate-limit/rate-limiter.port.js';
export { probe, type HealthCheck } from './health/health-check.js';
export { serveHealth, type HealthServer } from './health/health-server.js';
export { endsProcess } from './process/ends-process.js';
export { runProcess } from './process/run-process.js';
export type { StartedProcess, StartProcess } from './process/started-process.js';
export { FileLogBinding, LOG_ID_FILE } from './log-binding/file-log-binding.js';
export {
  parseLogId,
  type BoundToLog,
  type LogBinding,
  type LogId,
} from './log-binding/log-binding.port.js';
export { LOGGER, createLogger, silentLogger, type Logger } from './logging/logger.js';
export { DESTROYED_SEALER, newDataKey, sealerOf, type Sealer } from './key-ring/data-key.js';
export { bytesKey, openBytes, sealBytes } from './key-ring/sealed-bytes.js';
export { openParts, type SealedPlace, sealParts } from './key-ring/sealed-parts.js';
export {
  KEY_RING,
  KeyDestroyedError,
  type KeyRing,
  type Sealed,
} from './key-ring/key-ring.port.js';
export { conversationKeys } from './key-ring/conversation-keys.js';
export { webhookSecretContext, webhookUrlContext } from './key-ring/webhook-seals.js';
export { personKeys } from './key-ring/person-keys.js';
export { FsKeyRing, destroyKeyFiles } from './key-ring/fs/fs-key-ring.js';

export { isPostgresAway, isPostgresFull } from './postgres/postgres-errors.js';
export { syncFolder, writeNewFile } from './files/durable.js';
export { replaceFile, replaceScratchFile } from './files/replace-file.js';
export { unlessMissing } from './files/unless-missing.js';
export { asStorageFull, isStorageFull } from './files/storage-full.js';
export { AddressGuard } from './http/address-guard.js';

export { lockDataDir } from './data-dir/lock-data-dir.js';
export {
  FolderInUseError,
  isFolderInUse,
  lockFolder,
  type ProcessLock,
} from './data-dir/process-lock.js';
export { tlsFailure } from './tls/tls-failure.js';
