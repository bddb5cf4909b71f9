import { workerData } from 'node:worker_threads';

import { LATER, ThreadServer } from '#platform/concurrency/thread-server';
import { transferablesOf } from '#platform/concurrency/transferables';

/** The requests that the thread accepts. */
export type ScriptedRequest =
  | { readonly kind: 'echo'; readonly value: unknown }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'refuse'; readonly message: string; readonly errcode: number }
  | { readonly kind: 'announce'; readonly news: string }
  | { readonly kind: 'seen' }
  | { readonly kind: 'throw-uncaught' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'give-up' }
  | { readonly kind: 'hang' };

const thread = new ThreadServer<ScriptedRequest, string>(transferablesOf);
const seen: unknown[] = [];

function handle(request: ScriptedRequest, id: number): unknown {
  switch (request.kind) {
    case 'echo':
      seen.push(request.value);
      return request.value;
    case 'wait':
      return new Promise((resolve) =>
        setTimeout(() => resolve(request.milliseconds), request.milliseconds),
      );
    case 'refuse':
      throw Object.assign(new RangeError(request.message), {
        errcode: request.errcode,
        query: 'x'.repeat(5_000),
      });
    case 'announce':
      thread.send({ news: request.news, answers: [{ id, value: 'announced' }] });
      return LATER;
    case 'seen':
      return seen;
    case 'throw-uncaught':
      setImmediate(() => {
        throw new Error('nobody catches this');
      });
      return LATER;
    case 'exit':
      process.exit(3);
      return LATER;
    case 'give-up':
      thread.fatal(new Error('the disk is gone'));
      return LATER;
    case 'hang':
      for (;;);
  }
}

if (workerData === 'refuse to open') {
  thread.refused(Object.assign(new Error('no such file'), { errcode: 26 }));
} else {
  thread.opened({ head: 7 });
  thread.serve(handle);
}
