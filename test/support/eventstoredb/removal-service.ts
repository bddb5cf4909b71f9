import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type sendUnaryData, type ServerUnaryCall, type ServiceError, status } from '@grpc/grpc-js';

import type { Expected } from './commit-rules.js';
import type { Log, Written } from './log.js';
import { wirePosition } from './place.js';
import { expectation, failure, plainStatus, streamDeleted, streamName } from './wire.js';

const EXPECTED = { none: -1, any: -2, exists: -4 } as const;
const NO_STREAM = -1;

interface Removal {
  readonly stream: string;
  readonly expected: Expected;
}

type Commit = (change: (log: Log) => Written) => Promise<Written>;

/** Serves the deletion that a later append undoes. */
export async function serveDelete(
  commit: Commit,
  call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
  answer: sendUnaryData<streams.DeleteResp>,
): Promise<void> {
  const removal = removalOf(call.request.getOptions());
  const written = await commit((log) => log.delete(removal.stream, removal.expected));
  if (written.kind !== 'written') return answer(refusal(removal, written));
  const position = wirePosition(written.position);
  const place = new streams.DeleteResp.Position()
    .setCommitPosition(position)
    .setPreparePosition(position);
  answer(null, new streams.DeleteResp().setPosition(place));
}

/** Serves the deletion for ever. */
export async function serveTombstone(
  commit: Commit,
  call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
  answer: sendUnaryData<streams.TombstoneResp>,
): Promise<void> {
  const removal = removalOf(call.request.getOptions());
  const written = await commit((log) => log.tombstone(removal.stream, removal.expected));
  if (written.kind !== 'written') return answer(refusal(removal, written));
  const position = wirePosition(written.position);
  const place = new streams.TombstoneResp.Position()
    .setCommitPosition(position)
    .setPreparePosition(position);
  answer(null, new streams.TombstoneResp().setPosition(place));
}

function removalOf(
  options: streams.DeleteReq.Options | streams.TombstoneReq.Options | undefined,
): Removal {
  return {
    stream: streamName(options?.getStreamIdentifier()),
    expected: options ? expectation(options, () => options.getRevision()) : 'any',
  };
}

function refusal(
  { stream, expected }: Removal,
  written: Exclude<Written, { kind: 'written' }>,
): ServiceError {
  switch (written.kind) {
    case 'deleted':
      return streamDeleted(stream);
    case 'pending':
      return plainStatus(status.ABORTED, 'Operation timed out');
    case 'conflict':
      return failure(status.FAILED_PRECONDITION, 'wrong-expected-version', {
        'stream-name': stream,
        'expected-version': String(typeof expected === 'number' ? expected : EXPECTED[expected]),
        'actual-version': String(written.actual ?? NO_STREAM),
      });
  }
}
