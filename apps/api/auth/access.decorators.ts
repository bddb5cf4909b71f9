import { SetMetadata } from '@nestjs/common';

import type { KeyScope } from '#contracts';

export const PUBLIC_ROUTE = 'footnote:public';
export const NEEDED_SCOPE = 'footnote:scope';
export const OWNER_ROUTE = 'footnote:owner';

/** The route answers without credentials. */
export const Public = () => SetMetadata(PUBLIC_ROUTE, true);

/** The scope a key needs here. Without it a GET needs `read` and anything else `write`. */
export const NeedsScope = (scope: KeyScope) => SetMetadata(NEEDED_SCOPE, scope);

/** Only whoever owns the tenant may do this: an API key that has every scope. */
export const OwnerOnly = () => SetMetadata(OWNER_ROUTE, true);
