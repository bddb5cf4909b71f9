import type { StreamName } from '#contracts';

import type { EventStore } from '../event-store.port.js';

/** Reports whether a stream exists by reading its first event only. */
export async function hasEvents(
  store: Pick<EventStore, 'read'>,
  stream: StreamName,
): Promise<boolean> {
  for await (const { id } of store.read(stream, { limit: 1 })) return id !== '';
  return false;
}
