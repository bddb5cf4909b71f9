import { applyDecorators, SetMetadata } from '@nestjs/common';

import type { KeyScope } from '#contracts';

export const PUBLIC_ROUTE = 'footnote:public';
export const NEEDED_SCOPE = 'footnote:scope';
export const CREDENTIALS = 'footnote:credentials';
export const MANAGEMENT = 'footnote:management';
export const EVERY_SCOPE = 'footnote:every-scope';

/** The kinds of credentials that a route takes. */
export type TakenCredentials = 'any' | 'person' | 'api_key';

/** The route answers without credentials. */
export const Public = () => SetMetadata(PUBLIC_ROUTE, true);

/**
 * The scope that is needed here, of a key or by a person's role. Without it a GET needs `read` and
 * anything else `write`; with null none is needed.
 */
export const NeedsScope = (scope: KeyScope | null) => SetMetadata(NEEDED_SCOPE, scope);

/** The route is for a signed-in person: an API key gets 401 `sign_in_required`. */
export const SignedIn = () => SetMetadata(CREDENTIALS, 'person' satisfies TakenCredentials);

/** The route is for API keys: a signed-in person gets 401 `unauthorized`. */
export const ApiKeyOnly = () => SetMetadata(CREDENTIALS, 'api_key' satisfies TakenCredentials);

/**
 * Allows only owners, of people: others get 401 `role_missing`. An API key needs its scope as
 * usual; for routes that accept no keys, add {@link SignedIn}.
 */
export const OwnersOnly = () => SetMetadata(MANAGEMENT, true);

/**
 * Allows only full control of the tenant: of people an owner, of API keys one that has every scope.
 */
export const OwnerOrFullKey = () => applyDecorators(OwnersOnly(), SetMetadata(EVERY_SCOPE, true));
