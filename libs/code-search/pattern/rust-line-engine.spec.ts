import { describe } from '@jest/globals';

import { lineEngineContract } from '#test/contracts/line-engine.contract';

import { RustLineEngine } from './rust-line-engine.js';

describe('RustLineEngine', () => {
  lineEngineContract(() => new RustLineEngine());
});
