import { expect, it } from '@jest/globals';

import type { ReadModel } from '#read-model';

import type { ApiReadModel } from './engines.js';

it('the read model fits the queries that the API asks for', () => {
  const fits: (readModel: ReadModel) => ApiReadModel = (readModel) => readModel;
  expect(fits).toBeDefined();
});
