import { SetMetadata } from '@nestjs/common';

import type { KeyScope } from '#contracts';

export const PUBLIC_ROUTE = 'footnote:public';
export const NEEDED_SCOPE = 'footnote:scope';

/** The route answers without credentials. */
export const Public = () => SetMetadata(PUBLIC_ROUTE, true);

/** The scope a key needs here. Without it a GET needs `read` and anything else `write`. */
export const NeedsScope = (scope: KeyScope) => SetMetadata(NEEDED_SCOPE, scope);
