import type { Decider, TrailExportEnd, TrailExportEvent, TrailExportKind } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface StartTrailExport {
  readonly type: 'StartTrailExport';
  readonly data: {
    readonly export_id: string;
    readonly kind: TrailExportKind;
    readonly filter_digest: string;
  };
}

export interface EndTrailExport {
  readonly type: 'EndTrailExport';
  readonly data: {
    readonly export_id: string;
    readonly records: number;
    readonly end: TrailExportEnd;
  };
}

export type TrailExportCommand = StartTrailExport | EndTrailExport;
export type TrailExportState = 'absent' | 'running' | 'ended';

/** Stream `trailexport-<export_id>`: one start and at most one end. */
export const trailExportDecider: Decider<TrailExportCommand, TrailExportState, TrailExportEvent> = {
  initial: 'absent',
  decide,
  evolve: (_, { type }) => (type === 'AuditExportStarted' ? 'running' : 'ended'),
};

export const trailExportStreams = defineStream({
  pattern: 'trailexport-<export_id>',
  decider: trailExportDecider,
  commands: { StartTrailExport: true, EndTrailExport: true },
  events: { AuditExportStarted: true, AuditExportEnded: true },
});

/** Ignores a repeated start or end, and the end of an export that never started. */
function decide(command: TrailExportCommand, state: TrailExportState): readonly TrailExportEvent[] {
  if (command.type === 'StartTrailExport')
    return state === 'absent' ? [{ type: 'AuditExportStarted', data: command.data }] : [];
  return state === 'running' ? [{ type: 'AuditExportEnded', data: command.data }] : [];
}
