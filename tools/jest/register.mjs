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
