import { z } from 'zod';

import { id } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/** The number of this link of the package, counted from 1: a removed link can be made again. */
const episode = z.number().int().positive();

/**
 * Stream `packagelink-<id>`, the id derived from tenant and package: the tenant's searches cover
 * the package from here on.
 */
export const packageLinked = defineEvent(
  'PackageLinked',
  1,
  z.object({
    link_id: id,
    package_id: id,
    /** The owner of the package. */
    owner_tenant_id: id,
    episode,
    ecosystem: z.string().max(32),
    name: z.string().max(512),
    version: z.string().max(256),
  }),
);

/** They do no longer. */
export const packageUnlinked = defineEvent(
  'PackageUnlinked',
  1,
  z.object({ link_id: id, package_id: id, episode }),
);

export const packageLinkEvents = [packageLinked, packageUnlinked] as const;
export type PackageLinkEvent = EventOf<(typeof packageLinkEvents)[number]>;
