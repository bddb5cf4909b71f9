import type { Decider, RecordedReadEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

/** The event names what was read. */
export interface RecordRead {
  readonly type: 'RecordRead';
  readonly data: RecordedReadEvent;
}

/** True once the read is recorded. */
export type RecordedReadState = boolean;

/** Stream `read-<read_id>`: one event, however often the same is read in its hour. */
export const recordedReadDecider: Decider<RecordRead, RecordedReadState, RecordedReadEvent> = {
  initial: false,
  decide: ({ data }, isRecorded) => (isRecorded ? [] : [data]),
  evolve: () => true,
};

export const recordedReadStreams = defineStream({
  pattern: 'read-<read_id>',
  decider: recordedReadDecider,
  commands: { RecordRead: true },
  events: {
    AuditTrailRead: true,
    ReceiptRead: true,
    ReceiptReplayed: true,
    KeysListed: true,
    MembersListed: true,
  },
});
