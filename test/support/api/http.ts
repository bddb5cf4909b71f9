import supertest from 'supertest';

import type { ApiHarness } from './api-harness.js';

/**
 * Returns supertest's client over a real connection to the assembled application, which listens on loopback from the first
 * call on.
 * @param key of the requests; null sends none. Default: that of tenant A.
 */
export async function httpOf(api: ApiHarness, key: string | null = api.keyA) {
  const server = api.app.getHttpServer();
  if (!server.listening) await api.app.listen(0, '127.0.0.1');
  const agent = supertest.agent(server);
  return key === null ? agent : agent.set('authorization', `Bearer ${key}`);
}
