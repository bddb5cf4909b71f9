import { describe, it } from '@jest/globals';

import { specify } from '#test/support/decider-spec';

import { configurationDecider } from './configuration.decider.js';

const { given } = specify(configurationDecider);
const configured = (settings: Readonly<Record<string, string | null>>) => ({
  type: 'ServiceConfigured' as const,
  data: { process: 'api', settings },
});
const record = (settings: Readonly<Record<string, string | null>>) => ({
  type: 'RecordConfiguration' as const,
  data: { process: 'api', settings },
});
const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];

describe('the configuration of a process', () => {
  it('is recorded at the first start', () => {
    given()
      .when(record({ PORT: a }))
      .then(configured({ PORT: a }));
  });

  it('is not recorded again while it is the same, in whatever order', () => {
    given(configured({ PORT: a, MASTER_KEY: null }))
      .when(record({ MASTER_KEY: null, PORT: a }))
      .thenNothingHappened();
  });

  it.each([
    ['another value', { PORT: b, HOST: a }],
    ['a further variable', { PORT: a, HOST: a, MASTER_KEY: null }],
    ['a missing variable', { PORT: a }],
    ['another variable in place of one', { PORT: a, MASTER_KEY: null }],
  ])('is recorded with %s', (_, settings) => {
    given(configured({ PORT: a, HOST: a }))
      .when(record(settings))
      .then(configured(settings));
  });
});
