// Loaded before everything else (`node --import`): tests import `@jest/globals`, which exists in
// Jest's own module system alone. Here they get the same functions from `globals.mjs`.
import { registerHooks } from 'node:module';

const globals = new URL('globals.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: globals, format: 'module', shortCircuit: true }
      : next(specifier, context),
});

// `jest-light-runner` 0.8 answers the request of one worker for its settings to all workers. A
// worker that does not listen yet lost the answer, got no other, and the run stood still for ever.
if (process.send) {
  const send = process.send.bind(process);
  let answer;
  const keep = (message) => {
    if (message?.type === 'jest-light-runner-worker-data') answer = message;
  };
  // Not before the first listener: Node delivers what came earlier to the listeners of that time.
  const listen = (event) => {
    if (event !== 'message') return;
    process.off('newListener', listen);
    process.on('message', keep);
  };
  process.on('newListener', listen);
  process.send = (message, ...rest) => {
    if (message !== 'jest-light-runner-get-worker-data' || !answer) return send(message, ...rest);
    process.nextTick(() => process.emit('message', answer));
    return true;
  };
}
