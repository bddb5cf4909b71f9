import { describe, expect, it } from '@jest/globals';

import { endpointName } from './endpoint.js';

describe('endpointName', () => {
  it.each([
    ['/users/{id}', 'get', 'GET /users/{}'],
    ['/users/:user_id/', 'GET', 'GET /users/{}'],
    ['/users/42?full=1', 'GET', 'GET /users/{}'],
    ['/users/018f0000-0000-7000-8000-00000000000a/keys', undefined, '/users/{}/keys'],
    ['repos/{owner}/{repo}.json', 'delete', 'DELETE /repos/{}/{}.json'],
    ['/', 'get', 'GET /'],
  ])('of %s (%s) is %s', (path, method, name) => {
    expect(endpointName(path, method)).toBe(name);
  });
});
