import { ThreadClient } from '#platform';

import type { ScriptedRequest } from './scripted-thread.worker.js';

/** Asks a thread that keeps no process alive, prints its answers, and has nothing else to do. */
const thread = new ThreadClient<ScriptedRequest>({
  entry: new URL('./scripted-thread.worker.js', import.meta.url),
  name: 'spec',
  unref: true,
});
for (const milliseconds of [1, 50])
  console.log(await thread.ask<number>({ kind: 'wait', milliseconds }));
