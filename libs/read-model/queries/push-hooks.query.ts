import type { EntityManager } from 'typeorm';

import { sourcesTable, type StoredPushHook } from '../tables/sources.table.js';

/** A source that accepts pushes, with the hook that signs them. */
export interface PushHookRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly hook: StoredPushHook;
}

/** Returns the hooks of all tenants' sources; sources without one are left out. */
export async function listPushHooks(manager: EntityManager): Promise<PushHookRow[]> {
  const rows = await manager.find(sourcesTable.entity, {
    select: { tenant_id: true, source_id: true, push_hook: true },
    where: { has_push_hook: true },
  });
  return rows.flatMap(({ tenant_id, source_id, push_hook: hook }) =>
    hook === null ? [] : [{ tenant_id, source_id, hook }],
  );
}
