import type { OpenAPIObject } from '@nestjs/swagger';

const JSON_TYPE = 'application/json';
const PASSWORD = 'correct horse battery staple';
const QUESTION = 'How are request contexts pushed?';
const CHECKPOINT = [
  'footnote/019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a11',
  '20',
  'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
  '',
  '— footnote AAAAAPRbEfCFAIXKIOS4Kdcr2aNBZQMG',
  '',
].join('\n');

/**
 * Bodies that the service accepts, by operation. Without them a viewer of the document invents a
 * value for each optional field, and the service rejects the request.
 */
export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  sources_create: {
    name: 'Flask',
    source_type: 'repo',
    url: 'https://github.com/pallets/flask',
    include_patterns: ['src/**'],
  },
  sources_update: { name: 'Flask', sync_interval_seconds: 3600 },
  pushhooks_push: { ref: 'refs/heads/main' },
  codesearch_post: { pattern: 'push_context', limit: 20 },
  search_post: { query: QUESTION, top_k: 5 },
  search_rmh: { query: QUESTION, top_k: 5 },
  chat_ask: { query: QUESTION },
  chat_stream: { query: QUESTION },
  conversations_start: { title: 'Request contexts' },
  conversations_rename: { title: 'Request and app contexts' },
  packages_post: { query: 'How is an effect cleaned up?', package_name: 'react', ecosystem: 'npm' },
  packagecode_post: { pattern: 'useEffect', package_name: 'react', ecosystem: 'npm' },
  packages_add: { ecosystem: 'npm', name: 'react' },
  rover_create: { question: 'Which retry settings of urllib3 does requests use?', mode: 'fast' },
  mcp_post: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: QUESTION } },
  },
  keys_create: { name: 'ci', scopes: ['read', 'write'] },
  auth_register: { email: 'ada@example.com', password: PASSWORD, tenant_name: 'Acme' },
  auth_login: { email: 'ada@example.com', password: PASSWORD },
  auth_update: { display_name: 'Ada' },
  auth_erase: { confirm: 'ada@example.com' },
  auth_password: { current_password: PASSWORD, new_password: `${PASSWORD} again` },
  members_change: { role: 'member' },
  invitations_issue: { role: 'member', email: 'grace@example.com' },
  accept_accept: {
    token: 'token-of-the-invitation',
    email: 'grace@example.com',
    password: PASSWORD,
  },
  policy_update: { min_evidence_count: 2, enforce_staleness: true },
  policy_rollback: { revision: 0 },
  policysimulation_simulate: { policy: { min_evidence_count: 2 }, last: 20 },
  auditproofs_verifyCheckpoint: { checkpoint: CHECKPOINT },
  webhooks_create: {
    name: 'SIEM',
    url: 'https://siem.example.com/footnote',
    types: ['PolicyUpdated', 'CheckpointSigned'],
  },
  webhooks_update: { enabled: false },
  tenant_erase: { confirm: 'Acme' },
  legalhold_set: { reason: 'Case 2026-14' },
  legalhold_release: { reason: 'Case 2026-14' },
};

/** Adds its example to every JSON body of the document. */
export function withRequestExamples(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.post, item.put, item.patch, item.delete]) {
      const body = operation?.requestBody;
      if (!body || !('content' in body)) continue;
      const content = body.content[JSON_TYPE];
      const example = REQUEST_EXAMPLES[operation?.operationId ?? ''];
      if (content && example) content.example = example;
    }
  }
  return document;
}
