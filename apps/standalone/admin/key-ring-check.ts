import { ConversationKeys } from '#apps/api/conversations/conversation-keys';
import { quotaStream } from '#apps/api/quota/quota-ledger';
import { StoredReceipts } from '#apps/api/receipts/stored-receipts';
import { isFootnoteError, type RecordedEvent } from '#contracts';
import { type EventStore, readEvent } from '#event-store';
import type { KeyRing } from '#platform';

import type { DoctorCheck } from './doctor-check.js';

/** Number of a tenant's searches that are checked for one with sealed text. */
const LOOKED_AT = 1_000;
/** Maximum number of named receipts whose text does not open. */
const SHOWN = 10;

interface TenantOfRing {
  readonly id: string;
  readonly name: string;
  /** Time at which all its data was destroyed, including its key. */
  readonly erased_at: string | null;
}

export interface KeyRingSubjects {
  readonly tenants: () => Promise<readonly TenantOfRing[]>;
  readonly eventStore: EventStore;
  readonly keyRing: KeyRing;
  /** Location of the ring, for the sentence. */
  readonly place: string;
}

/**
 * Opens the first and the last sealed text of each tenant: from before a possible loss of the ring,
 * and with the current one. A key that is destroyed according to the log, and that an older ring
 * restored, is destroyed again.
 */
export async function keyRingCheck({
  tenants,
  eventStore,
  keyRing,
  place,
}: KeyRingSubjects): Promise<DoctorCheck> {
  const name = 'key ring';
  const receipts = new StoredReceipts(
    new ConversationKeys(keyRing, eventStore),
    eventStore,
    keyRing,
  );
  const closed: string[] = [];
  let opened = 0;
  let erased = 0;
  let again = 0;
  for (const tenant of await tenants()) {
    if (tenant.erased_at !== null && (await keyRing.standing(tenant.id)) === 'present') {
      await keyRing.destroy(tenant.id);
      again += 1;
    }
    if ((await keyRing.standing(tenant.id)) === 'destroyed') {
      erased += 1;
      continue;
    }
    const ids = await Promise.all(
      [false, true].map((backwards) => sealedReceipt(eventStore, tenant.id, backwards)),
    );
    for (const id of new Set(ids.filter((each) => each !== null))) {
      if (await opens(receipts, tenant.id, id)) opened += 1;
      else closed.push(`${id} of ${tenant.name}`);
    }
  }
  if (closed.length > 0) {
    const shown = [
      ...closed.slice(0, SHOWN),
      ...(closed.length > SHOWN ? [`${closed.length - SHOWN} more`] : []),
    ];
    const detail = `sealed text does not open: receipts ${shown.join(', ')}; restore the keys that sealed it (${place})`;
    return { name, state: 'failed', detail };
  }
  const once = erased > 0 ? `, keys of ${erased} tenants were destroyed` : '';
  const note =
    once + (again > 0 ? ` (${again} of them again: an older key ring had restored them)` : '');
  return { name, state: 'ok', detail: `${opened} sealed texts open${note}` };
}

/** @throws FootnoteError `engine_unavailable`. */
async function opens(receipts: StoredReceipts, tenantId: string, id: string): Promise<boolean> {
  try {
    return (await receipts.get({ tenantId }, id)).typed !== null;
  } catch (error) {
    if (isFootnoteError(error, 'engine_unavailable')) throw error;
    return false;
  }
}

/** Returns the id of a tenant's first or last receipt with sealed text; null if there is none. */
async function sealedReceipt(
  store: EventStore,
  tenantId: string,
  backwards: boolean,
): Promise<string | null> {
  const stream = quotaStream(tenantId, 'search');
  for await (const recorded of store.read(stream, { backwards, limit: LOOKED_AT })) {
    if (hasSealedText(recorded)) return recorded.id;
  }
  return null;
}

function hasSealedText(recorded: RecordedEvent): boolean {
  const event = readEvent(recorded);
  return event?.type === 'QuotaConsumed' && typeof event.data.receipt?.request === 'string';
}
