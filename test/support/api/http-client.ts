import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';

import type { ApiHarness } from './api-harness.js';

/** A client of the assembled application over its own HTTP server; it sends the key with each request. */
export function httpClient(api: Pick<ApiHarness, 'app' | 'keyA'>, key: string = api.keyA): TestAgent {
  return request.agent(api.app.getHttpServer()).set('authorization', `Bearer ${key}`);
}
