import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { EVENT_DEFINITIONS } from '#contracts';
import { PROJECT_ROOT } from '#test/support/project-root';

import { auditActionsJson, auditActionsPage } from './actions-page.js';
import { AUDIT_CATEGORIES, AUDIT_OUTCOMES } from './audit-action.js';
import { AUDIT_CATALOGUE, UNKNOWN_ACTION } from './catalogue.js';
import { checkAuditCatalogue } from './check-catalogue.js';
import { auditAction, auditTargets } from './derive-action.js';

interface FieldSchema {
  readonly type?: string;
  /** The types of a field that may be null. */
  readonly anyOf?: readonly FieldSchema[];
}

/** Returns the type of a field; null counts as no value. */
function typeOf(field: FieldSchema | undefined): string | undefined {
  return field?.type ?? field?.anyOf?.find(({ type }) => type !== 'null')?.type;
}

describe('the audit catalogue', () => {
  it('has an action for each event type', () => {
    expect(() => checkAuditCatalogue()).not.toThrow();
    expect(Object.keys(AUDIT_CATALOGUE).toSorted()).toEqual(
      EVENT_DEFINITIONS.map(({ type }) => type).toSorted(),
    );
  });

  it.each(EVENT_DEFINITIONS.map(({ type, schema }) => [type, schema] as const))(
    'names fields of %s that hold ids',
    (type, schema) => {
      const json = z.toJSONSchema(schema as z.ZodType, { io: 'input' }) as {
        readonly properties?: Readonly<Record<string, FieldSchema>>;
      };
      const { targets, category, outcome } = auditAction(type);
      for (const { field } of targets.filter((rule) => !rule.field.startsWith('$')))
        expect(['string', 'array']).toContain(typeOf(json.properties?.[field]));
      expect(AUDIT_CATEGORIES).toContain(category);
      expect(AUDIT_OUTCOMES).toContain(outcome);
    },
  );

  it('rejects a missing, surplus, shared and malformed action, naming the type', () => {
    const definitions = [{ type: 'PolicyReset' }];
    const { PolicyReset, PolicyUpdated } = AUDIT_CATALOGUE;
    expect(() => checkAuditCatalogue(definitions, {})).toThrow('PolicyReset has no audit action');
    expect(() => checkAuditCatalogue(definitions, { PolicyReset, PolicyUpdated })).toThrow(
      'has no event PolicyUpdated',
    );
    const both = [...definitions, { type: 'PolicyUpdated' }];
    expect(() => checkAuditCatalogue(both, { PolicyReset, PolicyUpdated: PolicyReset })).toThrow(
      'one audit action policy.reset',
    );
    const odd = { PolicyReset: { ...PolicyReset, action: 'Reset' } };
    expect(() => checkAuditCatalogue(definitions, odd)).toThrow('noun.verb');
  });

  it('is the one in docs/audit-actions.md and .json (npm run docs writes them)', () => {
    const page = (name: string): string => readFileSync(join(PROJECT_ROOT, 'docs', name), 'utf8');
    expect(page('audit-actions.md')).toBe(auditActionsPage());
    expect(page('audit-actions.json')).toBe(auditActionsJson());
  });
});

describe('auditAction', () => {
  it('returns a fallback for a type of a newer version', () => {
    expect(auditAction('FromTheFuture')).toBe(UNKNOWN_ACTION);
    expect(auditAction('toString')).toBe(UNKNOWN_ACTION);
  });
});

describe('auditTargets', () => {
  const event = { id: 'event', stream: 'policy-tenant-a', type: 'PolicyReset', data: {} };

  it('returns ids of data, streams and events, lists included', () => {
    expect(auditTargets(event)).toEqual([{ type: 'policy', id: 'tenant-a' }]);
    const data = { conversation_id: 'c', document_ids: ['d', 'e'] };
    expect(auditTargets({ ...event, type: 'ConversationDeleted', data })).toEqual([
      { type: 'conversation', id: 'c' },
      { type: 'document', id: 'd' },
      { type: 'document', id: 'e' },
    ]);
    const quota = { metric: 'search', amount: 1 };
    expect(auditTargets({ ...event, type: 'QuotaConsumed', data: quota })).toEqual([
      { type: 'quota', id: 'search' },
      { type: 'receipt', id: 'event' },
    ]);
  });

  it('leaves out what the stored version does not have, and bounds lists', () => {
    expect(auditTargets({ ...event, type: 'JobStaged', data: { job_id: 'j' } })).toEqual([
      { type: 'job', id: 'j' },
    ]);
    const data = { document_ids: Array.from({ length: 999 }, (_, index) => `d${index}`) };
    expect(auditTargets({ ...event, type: 'ConversationDeleted', data })).toHaveLength(128);
  });
});
