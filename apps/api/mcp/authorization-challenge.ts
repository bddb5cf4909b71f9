import type { FastifyInstance } from 'fastify';

import type { Config } from '#platform';

/**
 * Adds to rejections at `/mcp` where a client gets an access token (RFC 6750, RFC 9728). Without an
 * identity provider nothing is added: a client would start a flow that cannot end.
 */
export function useAuthorizationChallenge(
  server: FastifyInstance,
  { identity }: Pick<Config, 'identity'>,
): void {
  if (!identity) return;
  const { mcpResource, scopes } = identity;
  const metadata = mcpResource.replace(/\/mcp$/, '/.well-known/oauth-protected-resource/mcp');
  const challenge = `Bearer realm="footnote", resource_metadata="${metadata}", scope="${scopes}"`;
  server.addHook('onSend', async ({ routeOptions, headers }, reply) => {
    const { statusCode } = reply;
    if (routeOptions.url !== '/mcp' || (statusCode !== 401 && statusCode !== 403)) return;
    const isInvalid = statusCode === 401 && headers.authorization !== undefined;
    void reply.header(
      'www-authenticate',
      isInvalid ? `${challenge}, error="invalid_token"` : challenge,
    );
  });
}
