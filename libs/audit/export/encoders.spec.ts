import { describe, expect, it } from '@jest/globals';

import { sampleRecords } from '#test/support/audit-export';

import { omitFromRecord } from '../record/audit-record.js';
import { csvCell, csvHeader, csvLine } from './csv.js';
import { ocsfLine } from './ocsf.js';

const records = sampleRecords(200);
const policy = records.find(({ type }) => type === 'PolicyUpdated');
if (!policy) throw new Error('no policy record');

describe('CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['a,"b"', '"a,""b"""'],
    ['a\nb', '"a\nb"'],
    ['a=b', 'a=b'],
    ['', ''],
  ])('writes %j as %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('has as many cells in each line as the header, and no cell that is a formula', () => {
    const columns = csvHeader().trim().split(',');
    for (const record of [...records, ...records.map((one) => omitFromRecord(one, ['data']))]) {
      const cells = csvLine(record).match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^",\r\n]*)/g) ?? [];
      expect(cells).toHaveLength(columns.length);
      for (const cell of cells) expect(cell).not.toMatch(/^"?[=+\-@\t\r]/);
    }
    expect(csvLine(policy)).toContain(`${policy.seq},${policy.id},`);
    expect(csvLine(policy)).toContain('"[{""id"":""tenant-a"",""type"":""policy""}]"');
  });
});

describe('OCSF', () => {
  it('writes class, activity, time, actor, request and what OCSF has no member for', () => {
    expect(JSON.parse(ocsfLine(policy))).toMatchObject({
      class_uid: 3004,
      category_uid: 3,
      activity_id: 3,
      type_uid: 300_403,
      status_id: 1,
      time: 1_767_323_045_678,
      metadata: { version: '1.3.0', uid: policy.id, sequence: policy.seq },
      actor: { user: { uid: 'key-1', type: 'api_key', name: 'CI' } },
      entity: { type: 'policy', uid: 'tenant-a' },
      src_endpoint: { ip: '192.0.2.1' },
      http_request: { http_method: 'POST', url: { path: '/things/1' } },
      unmapped: { hash: policy.hash, changes: policy.changes },
    });
  });

  it('has the members that each class requires', () => {
    for (const record of records) {
      const event = JSON.parse(ocsfLine(record)) as Record<string, unknown>;
      const required = { 3001: 'user', 3002: 'user', 3004: 'entity', 3005: 'user', 6003: 'api' };
      const member = required[event['class_uid'] as keyof typeof required];
      const targets = record.targets.length;
      if (member !== 'entity' || targets > 0) expect(event).toHaveProperty(member);
      expect(ocsfLine(record)).toMatch(/^\{.*\}\n$/);
    }
  });
});
