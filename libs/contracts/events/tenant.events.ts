import { z } from 'zod';

import { defineEvent, type EventOf } from './define-event.js';
import { id } from './fields.js';

/** Stream `tenant-<id>`. */
export const tenantCreated = defineEvent('TenantCreated', 1, z.object({ tenant_id: id, name: z.string() }));

export const tenantEvents = [tenantCreated] as const;
export type TenantEvent = EventOf<(typeof tenantEvents)[number]>;
