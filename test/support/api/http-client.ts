import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INestApplication } from '@nestjs/common';
import supertest from 'supertest';

import type { ApiHarness } from './api-harness.js';

/**
 * Sends requests over real sockets, so that heads, slow bodies and closed connections behave as
 * they do in production.
 */
export interface HttpClient {
  /**
   * Builds requests: `request.post('/sources').set('authorization', …).send({})`. Keeps no cookies.
   */
  readonly request: ReturnType<typeof supertest>;
  /** Loopback port of the application, for requests that supertest cannot build. */
  readonly port: number;
}

/**
 * Lets the assembled application listen on loopback and returns a client for it. Without this,
 * supertest would listen on every interface, and close the application's server after each request.
 * The application's end closes the server.
 */
export async function httpClientOf({
  app,
}: {
  readonly app: INestApplication;
}): Promise<HttpClient> {
  const server = app.getHttpServer() as Server;
  if (!server.listening) await app.listen(0, '127.0.0.1');
  return { request: supertest(server), port: (server.address() as AddressInfo).port };
}

/**
 * Returns an agent of the same kind that sends an API key with each request.
 * @param key of the requests; null sends none. Default: that of tenant A.
 */
export async function httpOf(api: Pick<ApiHarness, 'app' | 'keyA'>, key: string | null = api.keyA) {
  await httpClientOf(api);
  const agent = supertest.agent(api.app.getHttpServer());
  return key === null ? agent : agent.set('authorization', `Bearer ${key}`);
}
