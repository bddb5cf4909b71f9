// Adds what `jest-light-runner` lacks: limits of time. Jest's circus announces each test and hook
// here as a file defines it.
import { clearTimeout, setTimeout } from 'node:timers';

const HANDLERS = Symbol.for('EVENT_HANDLERS');
/** Milliseconds, for a machine with a load of ten: no test shows anything by its time. */
const LIMIT = 120_000;

globalThis[HANDLERS].push((event, { currentDescribeBlock: block }) => {
  if (event.name === 'add_hook') limit(block.hooks.at(-1));
  if (event.name === 'add_test') limit(block.children.at(-1));
});

/** Makes a test or hook fail when it takes longer than its own limit or the common one. */
function limit(entry) {
  const { fn, timeout = LIMIT } = entry;
  entry.fn = async () => {
    let timer;
    const late = new Promise((_, reject) => {
      const message = `Exceeded timeout of ${timeout} ms`;
      timer = setTimeout(() => reject(new Error(message)), timeout);
    });
    try {
      await Promise.race([fn(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
