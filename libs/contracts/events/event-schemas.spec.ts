import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

import { toCloudEvent } from '#contracts';
import { PROJECT_ROOT } from '#test/support/project-root';
import { recordedEvent } from '#test/support/recorded-event';

import { eventSchema, eventVersions } from './event-schemas.js';
import { schemaFile, schemaFiles, snapshotBreaks } from './schema-snapshot.js';
import { WITHHELD_FIELDS } from './withheld-fields.js';

const SNAPSHOT = join(PROJECT_ROOT, 'docs/schemas');
const FIXTURES = join(PROJECT_ROOT, 'test/fixtures/events');
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

describe('the schemas of events', () => {
  const committed = new Map(readdirSync(SNAPSHOT).map((name) => [name, read(SNAPSHOT, name)]));

  it('have no breaking change without a new version', () => {
    expect(snapshotBreaks(committed)).toEqual([]);
  });

  it('are committed as the code has them (else: npm run docs)', () => {
    expect(Object.fromEntries(committed)).toEqual(Object.fromEntries(schemaFiles()));
  });

  it.each(eventVersions())('$type v$version is valid for its fixture', (each) => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    ajvFormats.default(ajv);
    const schema = eventSchema(each) ?? {};
    const isValid = ajv.compile(schema);
    const data = JSON.parse(read(FIXTURES, schemaFile(each))) as Record<string, unknown>;
    const sent = toCloudEvent(recordedEvent({ ...each, data }));
    expect(sent.dataschema).toBe(schema['$id']);
    isValid(sent.data);
    expect(isValid.errors).toBeNull();
    // The schema names each field that the feed has, and none that it withholds.
    const { properties, required } = schema as { properties: object; required: string[] };
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(sent.data)));
    for (const name of WITHHELD_FIELDS[each.type] ?? []) {
      expect(properties).not.toHaveProperty(name);
      expect(required).not.toContain(name);
    }
    for (const name of required) {
      const without = { ...sent.data, [name]: undefined };
      expect([name, isValid(without)]).toEqual([name, false]);
    }
  });

  it('exist for declared types and versions alone', () => {
    expect(eventSchema({ type: 'PolicyUpdated', version: 0 })).toBeNull();
    expect(eventSchema({ type: 'PolicyUpdated', version: 2 })).toBeNull();
    expect(eventSchema({ type: 'constructor', version: 1 })).toBeNull();
  });
});

describe('snapshotBreaks', () => {
  const file = 'PolicyUpdated.v1.json';
  const current = schemaFiles();
  const altered = (alter: (schema: { properties: Record<string, object> }) => void) => {
    const schema = JSON.parse(current.get(file) ?? '') as { properties: Record<string, object> };
    alter(schema);
    return new Map(current).set(file, JSON.stringify(schema));
  };

  it('names the file, the change and the remedy', () => {
    const later = altered((schema) => delete schema.properties['changes']);
    expect(snapshotBreaks(current, later)).toEqual([
      expect.stringMatching(
        /^PolicyUpdated\.v1\.json: data\.changes was removed; raise the version in defineEvent\(\)/,
      ),
    ]);
  });

  it('rejects a removed version and allows a new one', () => {
    const fewer = new Map(current);
    fewer.delete(file);
    expect(snapshotBreaks(current, fewer)).toEqual([
      expect.stringContaining(`${file}: the version was removed`),
    ]);
    expect(snapshotBreaks(fewer, current)).toEqual([]);
  });
});
