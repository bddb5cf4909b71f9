import { randomUUID } from 'node:crypto';

import {
  Server,
  ServerCredentials,
  status,
  type Metadata,
  type sendUnaryData,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { GossipService, type IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import {
  ServerFeaturesService,
  type IServerFeaturesServer,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsService, type IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

import { serveAppend, serveBatchAppend, type Answer, type AppendHost, type Appended } from './append-service.js';
import type { Expected } from './commit-rules.js';
import { Committer } from './committer.js';
import { Journal } from './journal.js';
import { Log, type Written } from './log.js';
import { serveRead } from './read-service.js';
import type { CheckpointMode, SubscriptionBehaviour } from './subscription.js';
import {
  demandsLeader,
  expectation,
  failure,
  isSignedIn,
  notLeader,
  streamDeleted,
  streamName,
  unauthenticated,
  type Login,
  type NodeAddress,
} from './wire.js';

const VERSION = '24.2.0.0';

export interface TestServerOptions {
  /** 0, the default, for a free one. */
  readonly port?: number;
  /** Where the log is kept; in memory when absent. */
  readonly directory?: string;
  /** The log of a server that was there before, or of another node of the same cluster. Not with `directory`. */
  readonly log?: Log;
  /** False to offer only the older append call. Default true. */
  readonly batchAppend?: boolean;
  /** Speaks TLS with this certificate. Default: plain text. */
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer };
  /** Refuses calls on streams that do not sign in as this user; gossip and features need no user. Default: asks for none. */
  readonly login?: Login;
  /** Which servers' checkpoints a filtered subscription gets. Default `up-to-24.10.4`, the ones that need care. */
  readonly checkpoints?: CheckpointMode;
  /** Milliseconds, or how to choose them, between the last page of a history and what tells its end. Default 0. */
  readonly endOfHistoryDelay?: number | (() => number);
}

/** A node that speaks EventStoreDB's gRPC interface, as far as its Node client is used here. */
export class EventStoreDbServer implements AppendHost {
  /** Set to answer as a node that does not lead. */
  leader: NodeAddress | null = null;
  /** What the nodes of the cluster are; by default this node alone. */
  members: readonly (NodeAddress & { readonly leads: boolean })[] = [];
  /** Appends that arrived, repeated ones included. */
  appends = 0;
  gossips = 0;
  private lost: Answer[] = [];
  private readonly committer: Committer;

  private constructor(
    readonly log: Log,
    private readonly journal: Journal | null,
    private readonly server: Server,
    readonly port: number,
    private readonly login: Login | undefined,
    private readonly subscriptions: SubscriptionBehaviour,
  ) {
    this.committer = new Committer(log, journal);
  }

  static async start(options: TestServerOptions = {}): Promise<EventStoreDbServer> {
    let journal: Journal | null = null;
    const log = options.log ?? new Log((entry) => journal?.add(entry));
    if (options.directory !== undefined) journal = Journal.open(options.directory, (entry) => log.restore(entry));
    log.begin();
    const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    const port = await bind(server, options.port ?? 0, credentialsOf(options));
    const node = new EventStoreDbServer(log, journal, server, port, options.login, behaviourOf(options));
    node.addServices(options.batchAppend ?? true);
    return node;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** The next appends are committed, and their answers are lost. */
  loseAnswers(count: number, how: Exclude<Answer, 'send'>): void {
    this.lost.push(...Array.from({ length: count }, () => how));
  }

  nextAnswer(): Answer {
    return this.lost.shift() ?? 'send';
  }

  append({ stream, records, expected }: Appended): Promise<Written> {
    this.appends += 1;
    return this.committer.commit(() => this.log.append(stream, records, expected));
  }

  /** Ends at once, as a killed process would: open calls break. */
  stop(): void {
    this.server.forceShutdown();
    this.journal?.close();
  }

  private refuses(metadata: Metadata): boolean {
    return this.login !== undefined && !isSignedIn(metadata, this.login);
  }

  private addServices(batchAppend: boolean): void {
    const streamsServer: IStreamsServer = {
      read: (call) => {
        if (this.refuses(call.metadata)) return void call.emit('error', unauthenticated());
        if (this.leader && demandsLeader(call.metadata)) return void call.emit('error', notLeader(this.leader));
        serveRead(this.log, this.subscriptions, call).catch((error: Error) => {
          call.emit('error', 'code' in error ? error : failure(status.INTERNAL, error.message));
        });
      },
      append: (call, answer) => {
        if (this.refuses(call.metadata)) return void answer(unauthenticated());
        serveAppend(this, call, answer).catch(() => undefined);
      },
      batchAppend: (call) => {
        if (this.refuses(call.metadata)) return void call.emit('error', unauthenticated());
        serveBatchAppend(this, call).catch(() => undefined);
      },
      delete: (call, answer) => {
        if (this.refuses(call.metadata)) return void answer(unauthenticated());
        this.remove(call, answer);
      },
      tombstone: (call, answer) => {
        if (this.refuses(call.metadata)) return void answer(unauthenticated());
        const name = streamName(call.request.getOptions()?.getStreamIdentifier());
        void this.committer
          .commit(() => this.log.tombstone(name))
          .then((written) =>
            answer(written.kind === 'deleted' ? streamDeleted(name) : null, new streams.TombstoneResp()),
          );
      },
    };
    const featuresServer: IServerFeaturesServer = {
      getSupportedMethods: (_call, answer) => answer(null, supported(batchAppend)),
    };
    const gossipServer: IGossipServer = { read: (_call, answer) => answer(null, this.cluster()) };
    this.server.addService(StreamsService, streamsServer);
    this.server.addService(ServerFeaturesService, featuresServer);
    this.server.addService(GossipService, gossipServer);
  }

  private remove(
    call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
    answer: sendUnaryData<streams.DeleteResp>,
  ): void {
    const options = call.request.getOptions();
    const name = streamName(options?.getStreamIdentifier());
    const expected: Expected = options ? expectation(options, () => options.getRevision()) : 'any';
    void this.committer
      .commit(() => this.log.delete(name, expected))
      .then((written) => {
        if (written.kind === 'written') return answer(null, deleted(written.position));
        if (written.kind === 'deleted') return answer(streamDeleted(name));
        const details = {
          'stream-name': name,
          'expected-version': String(typeof expected === 'number' ? expected : EXPECTED[expected]),
          'actual-version': written.actual === null ? '' : String(written.actual),
        };
        return answer(failure(status.FAILED_PRECONDITION, 'wrong-expected-version', details));
      });
  }

  private cluster(): gossip.ClusterInfo {
    this.gossips += 1;
    const members = this.members.length > 0 ? this.members : [{ host: '127.0.0.1', port: this.port, leads: true }];
    const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
    return new gossip.ClusterInfo().setMembersList(
      members.map(({ host, port, leads }) =>
        new gossip.MemberInfo()
          .setInstanceId(new shared.UUID().setString(randomUUID()))
          .setTimeStamp(String(Date.now()))
          .setState(leads ? LEADER : FOLLOWER)
          .setIsAlive(true)
          .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port)),
      ),
    );
  }
}

const EXPECTED = { none: -1, any: -2, exists: -4 } as const;

function behaviourOf({
  checkpoints = 'up-to-24.10.4',
  endOfHistoryDelay = 0,
}: TestServerOptions): SubscriptionBehaviour {
  const delay = typeof endOfHistoryDelay === 'number' ? () => endOfHistoryDelay : endOfHistoryDelay;
  return { checkpoints, endOfHistoryDelay: delay };
}

function credentialsOf({ tls }: TestServerOptions): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [{ cert_chain: tls.certificate, private_key: tls.key }]);
}

function bind(server: Server, port: number, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
}

function deleted(position: number): streams.DeleteResp {
  const text = String(position);
  return new streams.DeleteResp().setPosition(
    new streams.DeleteResp.Position().setCommitPosition(text).setPreparePosition(text),
  );
}

function supported(batchAppend: boolean): features.SupportedMethods {
  const method = (name: string, own: readonly string[] = []) =>
    new features.SupportedMethod()
      .setServiceName('event_store.client.streams.streams')
      .setMethodName(name)
      .setFeaturesList([...own]);
  const methods = [method('read', ['position', 'events']), method('append'), method('delete'), method('tombstone')];
  if (batchAppend) methods.push(method('batchappend', ['deadline_duration']));
  return new features.SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods);
}
