import { status, type ServerDuplexStream, type ServerReadableStream, type sendUnaryData } from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

import type { Expected } from './commit-rules.js';
import type { ProposedRecord, Written } from './log.js';
import {
  demandsLeader,
  expectation,
  failure,
  notLeader,
  proposedRecord,
  streamDeleted,
  streamIdentifier,
  streamName,
  type NodeAddress,
} from './wire.js';

export interface Appended {
  readonly stream: string;
  readonly expected: Expected;
  readonly records: readonly ProposedRecord[];
}

/** What happens to an answer: sent, never sent, or the connection breaks in its place. */
export type Answer = 'send' | 'swallow' | 'break';

export interface AppendHost {
  append(append: Appended): Promise<Written>;
  /** Asked once for each append that was committed. */
  nextAnswer(): Answer;
  /** Where the leader is, when it is not here. Calls that do not demand the leader are served all the same. */
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
  }
  if (host.leader && demandsLeader(call.metadata)) return answer(notLeader(host.leader));
  const written = await host.append({ stream, expected, records });
  const fate = written.kind === 'written' ? host.nextAnswer() : 'send';
  if (fate === 'swallow') return;
  if (fate === 'break') return answer(failure(status.UNAVAILABLE, ''));
  if (written.kind === 'deleted') return answer(streamDeleted(stream));
  const response = new streams.AppendResp();
  if (written.kind === 'written') response.setSuccess(success(written));
  else response.setWrongExpectedVersion(conflict(written.actual, expected));
  answer(null, response);
}

/** Serves the newer call: one stream for all appends, each answered once under its correlation id. */
export async function serveBatchAppend(
  host: AppendHost,
  call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>,
): Promise<void> {
  const open = new Map<string, { stream: string; expected: Expected; records: ProposedRecord[] }>();
  call.on('error', () => undefined);
  for await (const chunk of call as AsyncIterable<streams.BatchAppendReq>) {
    const id = chunk.getCorrelationId()?.getString() ?? '';
    const options = chunk.getOptions();
    const append = open.get(id) ?? {
      stream: streamName(options?.getStreamIdentifier()),
      expected: options ? expectation(options, () => options.getStreamPosition()) : 'any',
      records: [],
    };
    append.records.push(...chunk.getProposedMessagesList().map(proposedRecord));
    if (!chunk.getIsFinal()) {
      open.set(id, append);
      continue;
    }
    open.delete(id);
    if (host.leader && demandsLeader(call.metadata)) {
      call.emit('error', notLeader(host.leader));
      return;
    }
    // Not awaited: appends that arrive meanwhile join the same group.
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
    call.emit('error', failure(status.UNAVAILABLE, ''));
    return;
  }
  const response = new streams.BatchAppendResp()
    .setCorrelationId(new shared.UUID().setString(id))
    .setStreamIdentifier(streamIdentifier(append.stream));
  if (written.kind === 'written') {
    const position = String(written.position);
    response.setSuccess(
      new streams.BatchAppendResp.Success()
        .setCurrentRevision(String(written.revision))
        .setPosition(new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position)),
    );
  } else {
    response.setError(batchError(written, append));
  }
  call.write(response);
}

function batchError(written: Exclude<Written, { kind: 'written' }>, append: Appended): statusPb.Status {
  const [name, message] =
    written.kind === 'deleted'
      ? ['StreamDeleted', new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(append.stream))]
      : ['WrongExpectedVersion', batchConflict(written.actual, append.expected)];
  const details = new anyPb.Any();
  details.pack(message.serializeBinary(), `event_store.client.${name}`);
  return new statusPb.Status().setMessage(name).setDetails(details);
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
    .setPosition(new streams.AppendResp.Position().setCommitPosition(position).setPreparePosition(position));
}

function conflict(actual: number | null, expected: Expected): streams.AppendResp.WrongExpectedVersion {
  const empty = new shared.Empty();
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (actual === null) message.setCurrentNoStream(empty);
  else message.setCurrentRevision(String(actual));
  if (expected === 'any') return message.setExpectedAny(empty);
  if (expected === 'none') return message.setExpectedNoStream(empty);
  if (expected === 'exists') return message.setExpectedStreamExists(empty);
  return message.setExpectedRevision(String(expected));
}
