import { describe, expect, it } from '@jest/globals';

import { clientEnvironment } from './client-environment.js';

describe('the environment of a client', () => {
  it('names the service, by default on this machine', () => {
    expect(clientEnvironment({ FOOTNOTE_API_KEY: 'fnt_1' })).toEqual({
      url: 'http://localhost:8080',
      apiKey: 'fnt_1',
    });
    const given = { FOOTNOTE_API_KEY: 'fnt_1', FOOTNOTE_URL: 'https://notes.example.com/api/' };
    expect(clientEnvironment(given).url).toBe('https://notes.example.com/api');
  });

  it.each([
    [{}, 'FOOTNOTE_API_KEY must be an API key of the service'],
    [{ FOOTNOTE_API_KEY: 'a b' }, 'FOOTNOTE_API_KEY must be an API key of the service'],
    [
      { FOOTNOTE_API_KEY: 'fnt_1', FOOTNOTE_URL: 'file:///etc' },
      'FOOTNOTE_URL must be an http or https URL (got "file:///etc")',
    ],
  ])('is rejected with one sentence: %j', (environment, sentence) => {
    expect(() => clientEnvironment(environment)).toThrow(sentence);
  });
});
