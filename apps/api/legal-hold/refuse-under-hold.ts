import { isHeld, tenantDecider, underLegalHold } from '#domain';
import { type EventStore, foldStream } from '#event-store';

/**
 * Rejects the destruction of a tenant's data under legal hold, by the log itself.
 * @throws FootnoteError `legal_hold`.
 */
export async function refuseUnderHold(
  store: Pick<EventStore, 'read'>,
  tenantId: string,
): Promise<void> {
  const { state } = await foldStream(store, tenantDecider, `tenant-${tenantId}`);
  if (isHeld(state)) throw underLegalHold();
}
