import { z } from 'zod';

import { id } from '../fields.js';
import { MOST_MENTIONS, MOST_ROVER_REPOS } from './answer-limits.js';

/**
 * Readers of a source's content.
 * - `tenant`: every principal of its tenant.
 * - `linked`: tenants that link the package of the source, and searches in that very package.
 * - `system`: the service itself, as the tenant `system`.
 * - `conversation`: one conversation of its tenant.
 * - `research`: rover jobs of its tenant that attached this repository at this commit.
 */
export const audienceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tenant') }),
  z.object({ kind: z.literal('linked'), package_id: id.optional() }),
  z.object({ kind: z.literal('system') }),
  z.object({ kind: z.literal('conversation'), conversation_id: id }),
  z.object({ kind: z.literal('research'), repository: z.string().max(140), commit: id }),
]);
export type Audience = Readonly<z.output<typeof audienceSchema>>;

/**
 * Audiences of each kind that one request speaks as at most. A new kind does not compile without
 * its number.
 */
const MOST_OF_KIND = {
  tenant: 1,
  // The packages that the tenant links, and each package that a question mentions.
  linked: 1 + MOST_MENTIONS,
  system: 1,
  conversation: 1,
  research: MOST_ROVER_REPOS.deep,
} as const satisfies Readonly<Record<Audience['kind'], number>>;

/** Audiences that one request speaks as at most. */
export const MOST_AUDIENCES = Object.values(MOST_OF_KIND).reduce<number>(
  (sum, most) => sum + most,
  0,
);

/** The audience of a source whose events name none. */
export const TENANT_AUDIENCE: Audience = Object.freeze({ kind: 'tenant' });

/** The field of an event on a source or a job; absent for what its whole tenant may find. */
export function statedAudience(audience: Audience): { readonly audience?: Audience } {
  return audience.kind === 'tenant' ? {} : { audience };
}
