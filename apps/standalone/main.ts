import { runProcess } from '#platform';

import { startService } from './service.js';

/** `npm start`: the whole service in one process. */
const { madeKey } = await runProcess('Footnote is ready', startService);
if (madeKey) process.stderr.write(`\nFirst API key (shown this once): ${madeKey}\n\n`);
