import { randomUUID } from 'node:crypto';

import {
  GossipService,
  type IGossipServer,
} from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import {
  type IServerFeaturesServer,
  ServerFeaturesService,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import {
  type IStreamsServer,
  StreamsService,
} from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';

import { sleep } from '#platform';

import {
  type Answer,
  type Appended,
  type AppendHost,
  serveAppend,
  serveBatchAppend,
} from './append-service.js';
import { Committer } from './committer.js';
import { Journal } from './journal.js';
import { Log, type Written } from './log.js';
import { serveRead } from './read-service.js';
import { serveDelete, serveTombstone } from './removal-service.js';
import type { CheckpointMode, SubscriptionBehavior } from './subscription.js';
import {
  demandsLeader,
  failure,
  isSignedIn,
  type Login,
  type NodeAddress,
  notLeader,
  unauthenticated,
} from './wire.js';

const VERSION = '24.2.0.0';
/** The time that the server waits for an append that it has begun, and for one that it dropped. */
const PENDING_TIMEOUT_MS = 2_000;

export interface TestServerOptions {
  /** 0, the default, for a free one. */
  readonly port?: number;
  /** The folder of the log; in memory when absent. */
  readonly directory?: string;
  /**
   * The log of a server that was there before, or of another node of the same cluster. Not with
   * `directory`.
   */
  readonly log?: Log;
  /** False to offer only the older append call. Default true. */
  readonly batchAppend?: boolean;
  /** Speaks TLS with this certificate. Default: plain text. */
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer };
  /**
   * Refuses calls on streams that do not sign in as this user; gossip and features need no user.
   * Default: asks for none.
   */
  readonly login?: Login;
  /**
   * Milliseconds that an append takes to be committed, with all that arrive in between. Default:
   * one turn of the event loop.
   */
  readonly commitMs?: number;
  /**
   * The server version whose checkpoints a filtered subscription gets. Default `up-to-24.10.4`,
   * which needs the most care.
   */
  readonly checkpoints?: CheckpointMode;
  /**
   * Milliseconds, or a function that chooses them, between the last page of a history and the
   * message of its end. Default 0.
   */
  readonly endOfHistoryDelay?: number | (() => number);
}

/** A node that speaks EventStoreDB's gRPC interface, as far as its Node client is used here. */
export class EventStoreDbServer implements AppendHost {
  /** Set to answer as a node that does not lead. */
  leader: NodeAddress | null = null;
  /** The nodes of the cluster; by default this node alone. */
  members: readonly (NodeAddress & { readonly leads: boolean })[] = [];
  /** Appends that arrived, repeated ones included. */
  appends = 0;
  gossips = 0;
  private lost: Answer[] = [];
  private readonly committer: Committer;
  private readonly stopping = new AbortController();

  private constructor(
    readonly log: Log,
    private readonly journal: Journal | null,
    private readonly server: Server,
    readonly port: number,
    private readonly login: Login | undefined,
    private readonly subscriptions: SubscriptionBehavior,
    commitMs: number,
  ) {
    this.committer = new Committer(log, journal, commitMs);
  }

  static async start(options: TestServerOptions = {}): Promise<EventStoreDbServer> {
    let journal: Journal | null = null;
    const log = options.log ?? new Log((entry) => journal?.add(entry));
    if (options.directory !== undefined)
      journal = Journal.open(options.directory, (entry) => log.restore(entry));
    log.begin();
    const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    const port = await bind(server, options.port ?? 0, credentialsOf(options));
    const node = new EventStoreDbServer(
      log,
      journal,
      server,
      port,
      options.login,
      behaviorOf(options),
      options.commitMs ?? 0,
    );
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

  /**
   * One that is dropped, because the same is being written, is answered when the server's own
   * patience ends.
   */
  async append({ stream, records, expected }: Appended): Promise<Written> {
    this.appends += 1;
    const written = await this.committer.commit(() => this.log.append(stream, records, expected));
    if (written.kind === 'pending') await sleep(PENDING_TIMEOUT_MS, this.stopping.signal);
    return written;
  }

  /** Ends at once, as a killed process would: open calls break. */
  stop(): void {
    this.stopping.abort();
    this.server.forceShutdown();
    this.journal?.close();
  }

  private refuses(metadata: Metadata): boolean {
    return this.login !== undefined && !isSignedIn(metadata, this.login);
  }

  private addServices(batchAppend: boolean): void {
    const commit = (change: (log: Log) => Written) => this.committer.commit(() => change(this.log));
    const streamsServer: IStreamsServer = {
      read: (call) => {
        if (this.refuses(call.metadata)) return void call.emit('error', unauthenticated());
        if (this.leader && demandsLeader(call.metadata))
          return void call.emit('error', notLeader(this.leader));
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
        serveDelete(commit, call, answer).catch(() => undefined);
      },
      tombstone: (call, answer) => {
        if (this.refuses(call.metadata)) return void answer(unauthenticated());
        serveTombstone(commit, call, answer).catch(() => undefined);
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

  private cluster(): gossip.ClusterInfo {
    this.gossips += 1;
    const members =
      this.members.length > 0
        ? this.members
        : [{ host: '127.0.0.1', port: this.port, leads: true }];
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

function behaviorOf({
  checkpoints = 'up-to-24.10.4',
  endOfHistoryDelay = 0,
}: TestServerOptions): SubscriptionBehavior {
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

function supported(batchAppend: boolean): features.SupportedMethods {
  const method = (name: string, own: readonly string[] = []) =>
    new features.SupportedMethod()
      .setServiceName('event_store.client.streams.streams')
      .setMethodName(name)
      .setFeaturesList([...own]);
  const methods = [
    method('read', ['position', 'events']),
    method('append'),
    method('delete'),
    method('tombstone'),
  ];
  if (batchAppend) methods.push(method('batchappend', ['deadline_duration']));
  return new features.SupportedMethods()
    .setEventStoreServerVersion(VERSION)
    .setMethodsList(methods);
}
