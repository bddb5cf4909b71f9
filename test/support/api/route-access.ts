import type { KeyScope } from '#contracts';

/** Callers of routes that are neither public nor for signed pushes. */
export interface Access {
  /**
   * The scope that an API key needs; `every` for all of them, `any` for none, null where keys are
   * not taken.
   */
  readonly keys: KeyScope | 'every' | 'any' | null;
  /**
   * The scope that a person's role must grant; `any` for every signed-in person, `owner` for owners
   * alone, null where sessions are not taken.
   */
  readonly people: KeyScope | 'owner' | 'any' | null;
}

const AUDIT: Access = { keys: 'audit', people: 'audit' };
const READ: Access = { keys: 'read', people: 'read' };
const WRITE: Access = { keys: 'write', people: 'write' };
const MANAGE_KEYS: Access = { keys: 'write', people: 'owner' };
const OWNER: Access = { keys: 'every', people: 'owner' };
const KEY_READ: Access = { keys: 'read', people: null };
const KEY_WRITE: Access = { keys: 'write', people: null };
const ANY_KEY: Access = { keys: 'any', people: null };
const PERSON: Access = { keys: null, people: 'any' };
const MEMBER: Access = { keys: null, people: 'read' };
const MEMBER_WRITE: Access = { keys: null, people: 'write' };
const MANAGE_PEOPLE: Access = { keys: null, people: 'owner' };

/**
 * Every route of the API with its allowed callers: a missing route fails the test. `hook` is the
 * sender of a signed request.
 */
export const ROUTES: Readonly<Record<string, 'public' | 'hook' | Access>> = {
  'GET /': 'public',
  'GET /docs': 'public',
  'GET /ui': 'public',
  'GET /ui/': 'public',
  'GET /ui/assets/*': 'public',
  'GET /docs/': 'public',
  'GET /docs/assets/*': 'public',
  'GET /auth/methods': 'public',
  'GET /.well-known/oauth-protected-resource/mcp': 'public',
  'GET /auth/oidc/callback': 'public',
  'GET /auth/oidc/login': 'public',
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /metrics': 'public',
  'GET /asyncapi.json': 'public',
  'GET /openapi.json': 'public',
  'GET /packages/global': 'public',
  'GET /packages/global/:package_id': 'public',
  'GET /schemas/:event_type/:version': 'public',
  'POST /auth/accept': 'public',
  'POST /auth/login': 'public',
  'POST /auth/register': 'public',
  'POST /sources/:source_id/hooks/push': 'hook',
  'DELETE /auth/me': PERSON,
  'DELETE /conversations/:conversation_id': MEMBER,
  'DELETE /invitations/:invitation_id': MANAGE_PEOPLE,
  'DELETE /keys/:key_id': MANAGE_KEYS,
  'DELETE /legal-hold': OWNER,
  'GET /legal-hold': AUDIT,
  'PUT /legal-hold': OWNER,
  'DELETE /members/:user_id': MANAGE_PEOPLE,
  'DELETE /packages/my-packages/:link_id': WRITE,
  'DELETE /mcp': ANY_KEY,
  'DELETE /rover/jobs/:rover_job_id': KEY_WRITE,
  'DELETE /sources/:source_id': WRITE,
  'DELETE /sources/:source_id/hooks': WRITE,
  'DELETE /sources/:source_id/scip': WRITE,
  'DELETE /tenant': OWNER,
  'DELETE /webhooks/:webhook_id': OWNER,
  'GET /analytics/jobs': AUDIT,
  'GET /analytics/no-evidence': AUDIT,
  'GET /analytics/searches': AUDIT,
  'GET /analytics/stale-hits': AUDIT,
  'GET /analytics/usage': AUDIT,
  'GET /audit/checkpoints': AUDIT,
  'GET /audit/consistency': AUDIT,
  'GET /audit/events': AUDIT,
  'GET /audit/events/:event_id': AUDIT,
  'GET /audit/export': AUDIT,
  'GET /audit/keys': AUDIT,
  'GET /audit/log/checkpoint': AUDIT,
  'GET /audit/log/tile/*': AUDIT,
  'GET /audit/proof': AUDIT,
  'GET /audit/verify': AUDIT,
  'POST /audit/checkpoints': AUDIT,
  'POST /audit/verify': AUDIT,
  'GET /auth/me': PERSON,
  'GET /conversations': MEMBER,
  'GET /conversations/:conversation_id': MEMBER,
  'GET /events': AUDIT,
  'GET /invitations': MANAGE_PEOPLE,
  'GET /jobs': READ,
  'GET /jobs/:job_id': READ,
  'GET /jobs/:job_id/stream': READ,
  'GET /keys': READ,
  'GET /mcp': ANY_KEY,
  'GET /members': MEMBER,
  'GET /packages/my-packages': READ,
  'GET /packages/files': READ,
  'GET /packages/definitions': READ,
  'GET /packages/references': READ,
  'GET /packages/search': READ,
  'GET /packages/search/code': READ,
  'GET /packages/symbols': READ,
  'GET /packages/tree': READ,
  'GET /policy': READ,
  'GET /policy/diff': READ,
  'GET /policy/history': AUDIT,
  'GET /quota': READ,
  'GET /quota/usage': READ,
  'GET /receipts/:receipt_id': READ,
  'GET /rover/jobs': KEY_READ,
  'GET /rover/jobs/:rover_job_id': KEY_READ,
  'GET /rover/jobs/:rover_job_id/stream': KEY_READ,
  'POST /rover/jobs/:rover_job_id/verify': KEY_READ,
  'GET /definitions': READ,
  'GET /references': READ,
  'GET /symbols': READ,
  'GET /search': READ,
  'GET /search/code': READ,
  'GET /sources': READ,
  'GET /sources/:source_id': READ,
  'GET /sources/:source_id/content': READ,
  'GET /sources/:source_id/diff': READ,
  'GET /sources/:source_id/files': READ,
  'GET /sources/:source_id/history': AUDIT,
  'GET /sources/:source_id/outline': READ,
  'GET /sources/:source_id/scip': READ,
  'GET /sources/:source_id/tree': READ,
  'GET /webhooks': AUDIT,
  'GET /webhooks/:webhook_id': AUDIT,
  'GET /webhooks/:webhook_id/deliveries': AUDIT,
  'PATCH /auth/me': PERSON,
  'PATCH /conversations/:conversation_id': MEMBER,
  'PATCH /members/:user_id': MANAGE_PEOPLE,
  'PATCH /sources/:source_id': WRITE,
  'PATCH /webhooks/:webhook_id': OWNER,
  'POST /auth/logout': PERSON,
  'POST /auth/logout-everywhere': PERSON,
  'POST /auth/password': PERSON,
  'POST /chat': READ,
  'POST /chat/stream': READ,
  'POST /chat/upload-pdf': MEMBER_WRITE,
  'POST /conversations': MEMBER,
  'POST /invitations': MANAGE_PEOPLE,
  'POST /jobs/:job_id/cancel': WRITE,
  'POST /keys': MANAGE_KEYS,
  'POST /mcp': ANY_KEY,
  'POST /packages/add': WRITE,
  'POST /packages/search': READ,
  'POST /packages/search/code': READ,
  'POST /policy/reset': WRITE,
  'POST /policy/rollback': WRITE,
  'POST /policy/simulate': READ,
  'POST /receipts/:receipt_id/replay': READ,
  'POST /rover/jobs': KEY_WRITE,
  'POST /search': READ,
  'POST /search/code': READ,
  'POST /search/rmh': READ,
  'POST /sources': WRITE,
  'POST /sources/:source_id/hooks': WRITE,
  'POST /sources/:source_id/sync': WRITE,
  'POST /sources/upload': WRITE,
  'POST /webhooks': OWNER,
  'POST /webhooks/:webhook_id/deliveries/:event_id/redeliver': OWNER,
  'POST /webhooks/:webhook_id/rotate-secret': OWNER,
  'POST /webhooks/:webhook_id/test': OWNER,
  'PUT /policy': WRITE,
  'PUT /sources/:source_id/scip': WRITE,
};
