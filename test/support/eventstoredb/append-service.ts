import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';

import type { Expected } from './commit-rules.js';
import type { ProposedRecord, Written } from './log.js';
import {
  demandsLeader,
  expectation,
  failure,
  type NodeAddress,
  notLeader,
  plainStatus,
  proposedRecord,
  streamDeleted,
  streamIdentifier,
  streamName,
} from './wire.js';

export interface Appended {
  readonly stream: string;
  readonly expected: Expected;
  readonly records: readonly ProposedRecord[];
}

/**
 * The largest append, by the data of its events alone: the server forgets the rest when it adds up.
 */
const MAX_APPEND_BYTES = 1024 * 1024;

/** The fate of an answer: sent, never sent, or the connection breaks in its place. */
export type Answer = 'send' | 'swallow' | 'break';

export interface AppendHost {
  append(append: Appended): Promise<Written>;
  /** Asked once for each append that was committed. */
  nextAnswer(): Answer;
  /**
   * The address of the leader, when this node does not lead. Calls that do not require the leader
   * are served all the same.
   */
  readonly leader: NodeAddress | null;
}

/** Serves the older call: options first, then a message an event, one answer. */
export async function serveAppend(
  host: AppendHost,
  call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
  answer: sendUnaryData<streams.AppendResp>,
): Promise<void> {
  const records: ProposedRecord[] = [];
  let stream = '';
  let expected: Expected = 'any';
  for await (const message of call as AsyncIterable<streams.AppendReq>) {
    const options = message.getOptions();
    const proposed = message.getProposedMessage();
    if (options) {
      stream = streamName(options.getStreamIdentifier());
      expected = expectation(options, () => options.getRevision());
    }
    if (proposed) records.push(proposedRecord(proposed));
    if (isTooLarge(records)) return answer(tooLarge());
  }
  if (host.leader && demandsLeader(call.metadata)) return answer(notLeader(host.leader));
  const written = await host.append({ stream, expected, records });
  const fate = written.kind === 'written' ? host.nextAnswer() : 'send';
  if (fate === 'swallow') return;
  if (fate === 'break') return answer(plainStatus(status.UNAVAILABLE, ''));
  if (written.kind === 'deleted') return answer(streamDeleted(stream));
  if (written.kind === 'pending') return answer(plainStatus(status.ABORTED, 'Operation timed out'));
  const response = new streams.AppendResp();
  if (written.kind === 'written') response.setSuccess(success(written));
  else response.setWrongExpectedVersion(conflict(written.actual, expected));
  answer(null, response);
}

/**
 * Serves the newer call: one stream for all appends, each answered once under its correlation id.
 */
export async function serveBatchAppend(
  host: AppendHost,
  call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>,
): Promise<void> {
  const open = new Map<string, { stream: string; expected: Expected; records: ProposedRecord[] }>();
  call.on('error', () => undefined);
  for await (const chunk of call as AsyncIterable<streams.BatchAppendReq>) {
    const id = chunk.getCorrelationId()?.getString() ?? '';
    const options = chunk.getOptions();
    if (options) open.set(id, { ...target(options), records: [] });
    const append = open.get(id);
    // What follows of an append that was too large.
    if (!append) continue;
    append.records.push(...chunk.getProposedMessagesList().map(proposedRecord));
    const refused = isTooLarge(append.records);
    if (refused)
      call.write(
        response(id, append.stream).setError(
          detailed(
            'MaximumAppendSizeExceeded',
            new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES),
          ),
        ),
      );
    if (refused || chunk.getIsFinal()) open.delete(id);
    if (refused || !chunk.getIsFinal()) continue;
    if (host.leader && demandsLeader(call.metadata)) {
      call.emit('error', notLeader(host.leader));
      return;
    }
    // Not awaited: appends that arrive in between join the same group.
    void host.append(append).then((written) => answerBatch(host, call, id, append, written));
  }
  call.end();
}

function answerBatch(
  host: AppendHost,
  call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>,
  id: string,
  append: Appended,
  written: Written,
): void {
  const fate = written.kind === 'written' ? host.nextAnswer() : 'send';
  if (fate === 'swallow' || call.cancelled) return;
  if (fate === 'break') {
    call.emit('error', plainStatus(status.UNAVAILABLE, ''));
    return;
  }
  const message = response(id, append.stream);
  if (written.kind === 'written') {
    const position = String(written.position);
    message.setSuccess(
      new streams.BatchAppendResp.Success()
        .setCurrentRevision(String(written.revision))
        .setPosition(
          new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position),
        ),
    );
  } else {
    message.setError(batchError(written, append));
  }
  call.write(message);
}

function target(options: streams.BatchAppendReq.Options): Omit<Appended, 'records'> {
  return {
    stream: streamName(options.getStreamIdentifier()),
    expected: expectation(options, () => options.getStreamPosition()),
  };
}

function response(id: string, stream: string): streams.BatchAppendResp {
  return new streams.BatchAppendResp()
    .setCorrelationId(new shared.UUID().setString(id))
    .setStreamIdentifier(streamIdentifier(stream));
}

function batchError(
  written: Exclude<Written, { kind: 'written' }>,
  append: Appended,
): statusPb.Status {
  switch (written.kind) {
    case 'deleted':
      return detailed(
        'StreamDeleted',
        new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(append.stream)),
      );
    case 'pending':
      return detailed('Timeout', new shared.Timeout());
    case 'conflict':
      return detailed('WrongExpectedVersion', batchConflict(written.actual, append.expected));
  }
}

/** A status that says what it is by the type of its detail. */
function detailed(name: string, message: { serializeBinary(): Uint8Array }): statusPb.Status {
  const details = new anyPb.Any();
  details.pack(message.serializeBinary(), `event_store.client.${name}`);
  return new statusPb.Status().setMessage(name).setDetails(details);
}

function isTooLarge(records: readonly ProposedRecord[]): boolean {
  return records.reduce((bytes, { data }) => bytes + data.length, 0) > MAX_APPEND_BYTES;
}

function tooLarge(): ServiceError {
  return failure(status.INVALID_ARGUMENT, 'maximum-append-size-exceeded', {
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });
}

function batchConflict(actual: number | null, expected: Expected): shared.WrongExpectedVersion {
  const empty = new emptyPb.Empty();
  const message = new shared.WrongExpectedVersion();
  if (actual === null) message.setCurrentNoStream(empty);
  else message.setCurrentStreamRevision(String(actual));
  if (expected === 'any') return message.setExpectedAny(empty);
  if (expected === 'none') return message.setExpectedNoStream(empty);
  if (expected === 'exists') return message.setExpectedStreamExists(empty);
  return message.setExpectedStreamPosition(String(expected));
}

function success(written: Extract<Written, { kind: 'written' }>): streams.AppendResp.Success {
  const position = String(written.position);
  return new streams.AppendResp.Success()
    .setCurrentRevision(String(written.revision))
    .setPosition(
      new streams.AppendResp.Position().setCommitPosition(position).setPreparePosition(position),
    );
}

function conflict(
  actual: number | null,
  expected: Expected,
): streams.AppendResp.WrongExpectedVersion {
  const empty = new shared.Empty();
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (actual === null) message.setCurrentNoStream(empty);
  else message.setCurrentRevision(String(actual));
  if (expected === 'any') return message.setExpectedAny(empty);
  if (expected === 'none') return message.setExpectedNoStream(empty);
  if (expected === 'exists') return message.setExpectedStreamExists(empty);
  return message.setExpectedRevision(String(expected));
}
