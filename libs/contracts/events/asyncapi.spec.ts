import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';

import { asyncApiDocument, type JsonObject, toTenantCloudEvent } from '#contracts';
import { PROJECT_ROOT } from '#test/support/project-root';
import { recordedEvent } from '#test/support/recorded-event';

import { eventVersions } from './event-schemas.js';
import { schemaFile } from './schema-snapshot.js';

const document = asyncApiDocument('0.1.0');
const { messages, schemas } = document['components'] as Record<string, JsonObject>;

describe('the AsyncAPI description', () => {
  it('is committed as the code has it (else: npm run docs)', () => {
    const committed = readFileSync(join(PROJECT_ROOT, 'docs/asyncapi.json'), 'utf8');
    expect(JSON.parse(committed)).toEqual(document);
  });

  it('fits the JSON Schema of AsyncAPI 3.0', () => {
    const require = createRequire(import.meta.url);
    const official = require('@asyncapi/specs/schemas/3.0.0-without-$id.json') as object;
    const ajv = new Ajv({ strict: false, allErrors: true });
    ajvFormats.default(ajv);
    const isValid = ajv.compile(official);
    isValid(document);
    expect(isValid.errors).toBeNull();
    expect(isValid({ ...document, channels: { feed: { address: 1 } } })).toBe(false);
  });

  it('resolves each reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]*)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, path = ''] of references) {
      const found = path
        .split('/')
        .reduce<unknown>((part, name) => (part as JsonObject | undefined)?.[name], document);
      expect([path, typeof found]).toEqual([path, 'object']);
    }
  });

  it.each(eventVersions())('has a payload for $type v$version', (each) => {
    const file = schemaFile(each);
    const name = file.replace(/\.json$/, '');
    const ajv = new Ajv({ strict: false });
    ajvFormats.default(ajv);
    ajv.addSchema({ $id: 'asyncapi.json', components: { schemas } });
    const { payload } = messages?.[name] as { readonly payload: JsonObject };
    const isValid = ajv.compile(
      JSON.parse(JSON.stringify(payload).replaceAll('"#/', '"asyncapi.json#/')) as object,
    );
    const fixture = readFileSync(join(PROJECT_ROOT, 'test/fixtures/events', file), 'utf8');
    const data = JSON.parse(fixture) as Record<string, unknown>;
    const sent = toTenantCloudEvent(recordedEvent({ ...each, data }), 41);
    isValid(sent);
    expect(isValid.errors).toBeNull();
    for (const attribute of Object.keys(sent))
      expect(isValid({ ...sent, [attribute]: undefined })).toBe(false);
    expect(isValid({ ...sent, dataschema: 'urn:footnote:event:Other:1' })).toBe(false);
  });

  it('offers webhooks no events of deliveries', () => {
    const { webhook, feed } = document['channels'] as Record<string, { messages: JsonObject }>;
    expect(Object.keys(feed?.messages ?? {})).toContain('WebhookDelivered.v1');
    expect(Object.keys(webhook?.messages ?? {})).not.toContain('WebhookDelivered.v1');
    expect(Object.keys(webhook?.messages ?? {})).toContain('PolicyUpdated.v1');
  });
});
