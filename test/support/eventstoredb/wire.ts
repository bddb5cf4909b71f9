import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

import type { Expected } from './commit-rules.js';
import type { LogRecord, ProposedRecord } from './log.js';
import { type Place, wirePosition } from './place.js';

/** .NET ticks a millisecond. */
const TICKS = 10_000n;

interface ProposedMessage {
  getId(): shared.UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

interface ExpectedMessage {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

export function streamName(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

export function streamIdentifier(name: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));
}

export function proposedRecord(message: ProposedMessage): ProposedRecord {
  return {
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** `revision` is asked only when no other expectation is set. */
export function expectation(options: ExpectedMessage, revision: () => string): Expected {
  if (options.hasNoStream()) return 'none';
  if (options.hasAny()) return 'any';
  return options.hasStreamExists() ? 'exists' : Number(revision());
}

export function readEvent(record: LogRecord): streams.ReadResp {
  const position = String(record.position);
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(record.id))
    .setStreamIdentifier(streamIdentifier(record.stream))
    .setStreamRevision(String(record.revision))
    .setPreparePosition(position)
    .setCommitPosition(position)
    .setData(record.data)
    .setCustomMetadata(record.metadata);
  recorded
    .getMetadataMap()
    .set('type', record.type)
    .set('content-type', record.contentType)
    .set('created', String(BigInt(record.created) * TICKS));
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position),
  );
}

export function checkpoint({ commit, prepare }: Place): streams.ReadResp {
  return new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint()
      .setCommitPosition(wirePosition(commit))
      .setPreparePosition(wirePosition(prepare)),
  );
}

/**
 * A status with the `exception` trailer and the details that the client reads in addition to it.
 */
export function failure(
  code: status,
  exception: string,
  details: Readonly<Record<string, string>> = {},
): ServiceError {
  const metadata = new Metadata();
  metadata.set('exception', exception);
  for (const [key, value] of Object.entries(details)) metadata.set(key, value);
  return Object.assign(new Error(exception), { code, details: exception, metadata });
}

export function streamDeleted(name: string): ServiceError {
  return failure(status.FAILED_PRECONDITION, 'stream-deleted', { 'stream-name': name });
}

export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** True for a call that only the leader may serve. */
export function demandsLeader(metadata: Metadata): boolean {
  return metadata.get('requires-leader').some((value) => String(value) === 'true');
}

export function notLeader({ host, port }: NodeAddress): ServiceError {
  return failure(status.NOT_FOUND, 'not-leader', {
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });
}

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** Whether a call signs in as this user, by HTTP's Basic scheme. */
export function isSignedIn(metadata: Metadata, { user, password }: Login): boolean {
  const wanted = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return metadata.get('authorization').some((value) => String(value) === wanted);
}

/** A status alone, without an `exception`: the client goes by its code. */
export function plainStatus(code: status, message: string): ServiceError {
  return Object.assign(new Error(message), { code, details: message, metadata: new Metadata() });
}

/** As the server answers a wrong password. */
export function unauthenticated(): ServiceError {
  return plainStatus(status.UNAUTHENTICATED, 'Not Authenticated');
}
