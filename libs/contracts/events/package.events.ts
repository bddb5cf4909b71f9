import { z } from 'zod';

import { id, instant } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/** The registry's description of a release: for people, and shortened to what a list can show. */
const aboutSchema = z.object({
  description: z.string().max(1_000).nullable(),
  homepage: z.string().max(1_000).nullable(),
  license: z.string().max(200).nullable(),
  /** Sentences on why it should not be used, such as that it was withdrawn. */
  notices: z.array(z.string().max(600)).max(5),
});
export type PackageAbout = Readonly<z.output<typeof aboutSchema>>;

/**
 * `unused`: nobody searched it for long. `room`: others were used since, and all of them together
 * were too much.
 */
export const DROP_REASONS = ['unused', 'room'] as const;
export type PackageDropReason = (typeof DROP_REASONS)[number];

/**
 * Stream `package-<id>`, of the tenant that the release belongs to: `public`, or one with a
 * registry of its own. The id follows from the release; `source_id` is the source that holds its
 * content for now.
 */
export const packageRegistered = defineEvent(
  'PackageRegistered',
  1,
  z.object({
    package_id: id,
    source_id: id,
    ecosystem: z.string().max(32),
    name: z.string().max(512),
    version: z.string().max(256),
    ...aboutSchema.shape,
  }),
);

/** Its registry says other things of it by now. */
export const packageDescribed = defineEvent(
  'PackageDescribed',
  1,
  z.object({ package_id: id, ...aboutSchema.shape }),
);

/**
 * The package was searched (recorded at most once an hour) or linked. The least recently used
 * package is dropped first.
 */
export const packageUsed = defineEvent(
  'PackageUsed',
  1,
  z.object({ package_id: id, used_at: instant }),
);

/** Its content is not held any more; the removal of the source follows. */
export const packageDropped = defineEvent(
  'PackageDropped',
  1,
  z.object({ package_id: id, source_id: id, reason: z.enum(DROP_REASONS) }),
);

/** Somebody wants it again: its content is fetched once more, into another source. */
export const packageRestored = defineEvent(
  'PackageRestored',
  1,
  z.object({ package_id: id, source_id: id }),
);

export const packageEvents = [
  packageRegistered,
  packageDescribed,
  packageUsed,
  packageDropped,
  packageRestored,
] as const;
export type PackageEvent = EventOf<(typeof packageEvents)[number]>;
