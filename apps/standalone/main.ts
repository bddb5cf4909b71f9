import { firstStartText } from '#apps/api/lifecycle/first-start-text';
import { runProcess } from '#platform';

import { startService } from './service.js';

/** `npm start`: the whole service in one process. */
const { madeKey, ownerLink } = await runProcess('Footnote is ready', startService);
if (madeKey) process.stderr.write(firstStartText(madeKey, ownerLink));
