import { isMainThread, type Worker } from 'node:worker_threads';

/**
 * Is loaded before a process of this project (`--import`). On SIGUSR2 it ends the threads named by
 * KILL_THREAD, as a crash of V8 or of an engine inside them would.
 */
const threads = new Set<Worker>();

if (isMainThread) {
  process.on('worker', (worker) => {
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  });
  process.on('SIGUSR2', () => {
    for (const thread of threads)
      if (thread.threadName === process.env['KILL_THREAD']) void thread.terminate();
  });
}
