import { runRoverJob, type RunRoverJobDependencies } from '#apps/pipeline/rover/run-rover-job';
import { policyDecider, roverPlaces } from '#domain';
import type { EventStore } from '#event-store';
import type { ChatModel } from '#models';
import {
  FsBlobStore,
  FsKeyRing,
  loadConfig,
  openParts,
  sealParts,
  silentLogger,
  systemClock,
  uuidv7,
} from '#platform';

import { MemoryEventStore } from '../memory-event-store.js';
import { sampleMetadata } from '../sample-events.js';
import { tempDir } from '../temp-dir.js';
import { passage } from './passages.js';

const TENANT = 'tenant-1';
const REPOS = ['ring/reader', 'ring/ring'];
const MANIFESTS: Readonly<Record<string, string>> = {
  'ring/reader': '[project]\nname = "reader"\ndependencies = ["ring>=1"]\n',
  'ring/ring': '[project]\nname = "ring"\nversion = "1.0.0"\n',
};
const CONTENT: Readonly<Record<string, string>> = {
  'ring/reader': 'from ring import allocate_ring\n\ndef run():\n    return allocate_ring(4096)',
  'ring/ring': 'def allocate_ring(size=1024):\n    """Allocates a ring of a buffer size."""',
};

/**
 * Rover jobs that are stored and sealed as in the service. Hosts, syncs and searches answer from
 * memory and count their calls.
 */
export class StoredRoverJobs {
  readonly log = new MemoryEventStore();
  readonly calls = { host: 0, read: 0, search: 0 };
  /** The description of each repository that the host finds. */
  description: string | null = null;
  /** Plans and drafts; null without a model. */
  chatModel: ChatModel | null = null;
  private readonly config = loadConfig({ DATA_DIR: '/' }, '/');

  private constructor(
    private readonly folder: ReturnType<typeof tempDir>,
    private readonly keyRing: FsKeyRing,
    private readonly blobs: FsBlobStore,
    private readonly manifest: string,
  ) {}

  static async open(): Promise<StoredRoverJobs> {
    const folder = tempDir();
    const blobs = await FsBlobStore.open(`${folder.path}/blobs`);
    const documents = [{ path: 'pyproject.toml', version: 'b'.repeat(40) }];
    const manifest = await blobs.put(Buffer.from(JSON.stringify({ documents })));
    const keyRing = await FsKeyRing.open(`${folder.path}/keys`, undefined);
    return new StoredRoverJobs(folder, keyRing, blobs, manifest);
  }

  close(): void {
    this.folder.remove();
  }

  /** Requests a job. @returns its id. */
  async request(question: string, budget: object = {}): Promise<string> {
    const rover_job_id = uuidv7();
    const place = { tenantId: TENANT, boundTo: roverPlaces.question(rover_job_id) };
    await this.log.append(
      `rover-${rover_job_id}`,
      [
        {
          id: uuidv7(),
          type: 'RoverJobRequested',
          data: {
            rover_job_id,
            question: [...(await sealParts(this.keyRing, place, question, [8_000, 8_000]))],
            mode: 'fast',
            repos: [],
            budget: { ...this.config.rover.budgets.fast, seconds: 3_600, ...budget },
            requested_at: systemClock.now().toISOString(),
          },
          metadata: sampleMetadata('RoverJobRequested', { tenant_id: TENANT }),
        },
      ],
      'none',
    );
    return rover_job_id;
  }

  /** Works on a job in a process with this log until the job or the process ends. */
  async work(
    roverJobId: string,
    store: EventStore = this.log,
    controller = new AbortController(),
  ): Promise<void> {
    const cause = { tenantId: TENANT, correlationId: 'c', causationId: 'c' };
    await runRoverJob(this.dependencies(store), { roverJobId, cause }, controller);
  }

  /** Returns the data of the events of a type in the stream of a job. */
  eventsOf(id: string, type: string): readonly Record<string, unknown>[] {
    return this.log.events
      .filter((event) => event.stream === `rover-${id}` && event.type === type)
      .map(({ data }) => data);
  }

  /** Returns the stored result of a completed job, as JSON. */
  async resultOf(id: string): Promise<string | null> {
    const [end] = this.eventsOf(id, 'RoverJobCompleted');
    const parts = this.eventsOf(id, 'RoverAnswerContinued').map(({ sealed }) => String(sealed));
    const place = { tenantId: TENANT, boundTo: roverPlaces.answer(id) };
    return end ? openParts(this.keyRing, place, [String(end['answer']), ...parts]) : null;
  }

  private dependencies(store: EventStore): RunRoverJobDependencies {
    const { keyRing, blobs, config, calls } = this;
    return {
      store,
      clock: systemClock,
      logger: silentLogger,
      keyRing,
      blobs,
      leaseMs: 3_600_000,
      own: { find: () => Promise.resolve(null), serves: () => Promise.resolve(false) },
      sources: {
        register: ({ repo }) => Promise.resolve(`source of ${repo}`),
        prepare: ({ repo }) => Promise.resolve(`sync of ${repo}`),
        release: () => Promise.resolve(),
        read: (_, sourceId) => {
          calls.read += 1;
          const { manifest } = this;
          return Promise.resolve({ sourceId, generation: 1, manifest, files: 2, chunks: 2 });
        },
      },
      searches: {
        policyOf: () =>
          Promise.resolve({ settings: policyDecider.initial.settings, revision: null }),
        run: (_, { repositories }) => {
          calls.search += 1;
          const own = repositories.map((repo) => passage({ repo, content: CONTENT[repo] ?? '' }));
          return Promise.resolve(own);
        },
      },
      fetchers: {
        repo: {
          resolve: () => Promise.resolve({ ref: 'c'.repeat(40) }),
        },
      } as unknown as RunRoverJobDependencies['fetchers'],
      host: {
        search: () => {
          calls.host += 1;
          const { description } = this;
          const facts = { description, stars: 1, isArchived: false, isFork: false };
          const repositories = REPOS.map((repo) => ({
            repo,
            ...facts,
            sizeKib: 10,
            defaultBranch: 'main',
          }));
          return Promise.resolve({ repositories, isIncomplete: false });
        },
      },
      descriptions: null,
      chatModel: this.chatModel,
      index: {
        document: ({ sourceId }: { readonly sourceId: string }) =>
          Promise.resolve([{ content: MANIFESTS[sourceId.replace('source of ', '')] ?? '' }]),
      } as unknown as RunRoverJobDependencies['index'],
      fetchOptions: {
        directory: '/',
        limits: config.limits,
        network: config.network,
        timeoutMs: 1_000,
        slowTransfer: config.jobs.slowTransfer,
      },
      urlOf: (repo) => `https://github.com/${repo}`,
    };
  }
}
