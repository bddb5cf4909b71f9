import { describe, expect, it } from '@jest/globals';

import { recordedReadDecider } from './recorded-read.decider.js';
import { trailExportDecider } from './trail-export.decider.js';

describe('a recorded read', () => {
  const read = {
    type: 'ReceiptRead',
    data: { receipt_id: 'r', hour: '2026-01-17T10:00:00.000Z' },
  } as const;

  it('is recorded once', () => {
    expect(
      recordedReadDecider.decide({ type: 'RecordRead', data: read }, recordedReadDecider.initial),
    ).toEqual([read]);
    expect(
      recordedReadDecider.decide(
        { type: 'RecordRead', data: read },
        recordedReadDecider.evolve(recordedReadDecider.initial, read),
      ),
    ).toEqual([]);
  });
});

describe('an export of the trail', () => {
  const start = {
    type: 'StartTrailExport',
    data: { export_id: 'e', kind: 'export', filter_digest: 'a'.repeat(64) },
  } as const;
  const end = {
    type: 'EndTrailExport',
    data: { export_id: 'e', records: 3, end: 'completed' },
  } as const;
  const started = { type: 'AuditExportStarted', data: start.data } as const;
  const ended = { type: 'AuditExportEnded', data: end.data } as const;

  it('starts once and ends once', () => {
    const running = trailExportDecider.evolve(trailExportDecider.initial, started);
    const over = trailExportDecider.evolve(running, ended);
    expect(trailExportDecider.decide(start, trailExportDecider.initial)).toEqual([started]);
    expect(trailExportDecider.decide(start, running)).toEqual([]);
    expect(trailExportDecider.decide(end, running)).toEqual([ended]);
    expect(trailExportDecider.decide(end, over)).toEqual([]);
  });

  it('ignores the end of an export that never started', () => {
    expect(trailExportDecider.decide(end, trailExportDecider.initial)).toEqual([]);
  });
});
