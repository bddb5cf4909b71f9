import { isHeld, tenantDecider } from '#domain';
import { type EventStore, foldStream } from '#event-store';

import type { DoctorCheck } from './doctor-check.js';

/** Maximum number of named tenants. */
const SHOWN = 10;

/** Names the tenants under legal hold, by the log. */
export async function legalHoldCheck(
  store: Pick<EventStore, 'read'>,
  tenants: readonly { readonly id: string }[],
): Promise<DoctorCheck> {
  const held: string[] = [];
  for (const { id } of tenants) {
    const { state } = await foldStream(store, tenantDecider, `tenant-${id}`);
    if (isHeld(state)) held.push(id);
  }
  const more = held.length > SHOWN ? ` and ${held.length - SHOWN} more` : '';
  const detail =
    held.length === 0 ? 'no tenant is held' : `${held.slice(0, SHOWN).join(', ')}${more}`;
  return { name: 'legal hold', state: 'ok', detail };
}
