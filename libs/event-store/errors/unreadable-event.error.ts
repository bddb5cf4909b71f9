import type { RecordedEvent } from '#contracts';

/**
 * A stored event of a known type that this version cannot read: a newer schema version, or data that does not fit its
 * schema. Whoever handles the type stops here rather than guess, and goes on after the upgrade.
 */
export class UnreadableEventError extends Error {
  readonly code = 'unreadable_event';
  readonly type: string;
  readonly version: number;
  readonly stream: string;
  readonly revision: bigint;

  constructor(event: RecordedEvent, reason: string, options: { readonly cause?: unknown } = {}) {
    const { type, stream, revision } = event;
    const version = event.metadata.schema_version;
    super(`${type} version ${version} at ${stream} revision ${revision} cannot be read: ${reason}`, options);
    this.name = 'UnreadableEventError';
    this.type = type;
    this.version = version;
    this.stream = stream;
    this.revision = revision;
  }
}

export function isUnreadableEvent(error: unknown): error is UnreadableEventError {
  return error instanceof Error && 'code' in error && error.code === 'unreadable_event';
}
