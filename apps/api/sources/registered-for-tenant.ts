import { type Audience, TENANT_AUDIENCE } from '#contracts';
import type { RegisteredSource, SourceState } from '#domain';
import { isFor } from '#search';

/**
 * The source that a request of its tenant changes.
 * @param audience whom it is for, where a use case of a narrower one changes it.
 * @throws what `absent` makes where there is none, also where it was removed or is for another
 * audience.
 */
export function registeredForTenant(
  state: SourceState,
  absent: () => Error,
  audience: Audience = TENANT_AUDIENCE,
): RegisteredSource {
  if (state.status !== 'registered' || !isFor(state.audience, audience)) throw absent();
  return state;
}
