import { type RunningService, type ServiceOptions, ServiceProcess } from '../service-process.js';

const ENTRIES = {
  api: 'apps/api/main',
  projector: 'apps/projector/main',
  pipeline: 'apps/pipeline/main',
} as const;

export type ProcessKind = keyof typeof ENTRIES;
const KINDS: readonly ProcessKind[] = ['projector', 'api', 'pipeline'];

/** The number of processes of each kind. */
export interface ProcessCounts {
  readonly api?: number;
  readonly projector?: number;
  readonly pipeline?: number;
}

/** The service as separate processes on servers, seen as one; requests go to the first API. */
export class StackProcesses implements RunningService {
  private constructor(
    private readonly options: ServiceOptions,
    readonly apis: ServiceProcess[],
    readonly projectors: ServiceProcess[],
    readonly pipelines: ServiceProcess[],
  ) {}

  static async start(
    options: ServiceOptions,
    { api = 1, projector = 1, pipeline = 1 }: ProcessCounts = {},
  ): Promise<StackProcesses> {
    const counts = { projector, api, pipeline };
    const service = new StackProcesses(options, [], [], []);
    // One of each at a time: many at once starve each other on a small machine until connections
    // time out.
    for (let round = 0; round < Math.max(projector, api, pipeline); round += 1) {
      const kinds = KINDS.filter((kind) => round < counts[kind]);
      const settled = await Promise.allSettled(kinds.map((kind) => service.add(kind)));
      const failed = settled.find((each) => each.status === 'rejected');
      if (!failed) continue;
      await service.kill();
      throw failed.reason;
    }
    return service;
  }

  get url(): string {
    return this.apis[0]?.url ?? '';
  }

  get pid(): number {
    return this.apis[0]?.pid ?? -1;
  }

  get all(): readonly ServiceProcess[] {
    return [...this.apis, ...this.pipelines, ...this.projectors];
  }

  get output(): string {
    return this.all.map(({ output }) => output).join('\n');
  }

  /** Starts one more of a kind, as its last. */
  async add(kind: ProcessKind): Promise<ServiceProcess> {
    const process = await ServiceProcess.start({ ...this.options, entry: ENTRIES[kind] });
    this.of(kind).push(process);
    return process;
  }

  /** Takes one of a kind out of the service, by default the first, for the caller to end. */
  take(kind: ProcessKind, process = this.of(kind)[0]): ServiceProcess {
    const all = this.of(kind);
    if (!process || !all.includes(process)) throw new Error(`There is no such ${kind}`);
    all.splice(all.indexOf(process), 1);
    return process;
  }

  /**
   * Returns the number of leases of each process of a kind, by its metrics: of projections, or of
   * the dispatcher.
   */
  async leases(kind: 'projector' | 'pipeline'): Promise<number[]> {
    const metric = { projector: 'footnote_projection_kept', pipeline: 'footnote_dispatcher_leads' }[
      kind
    ];
    return Promise.all(
      this.of(kind).map(async ({ url }) => {
        const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) });
        const values = (await answer.text()).matchAll(
          new RegExp(`^${metric}(?:{.*})? (\\d+)$`, 'gm'),
        );
        return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
      }),
    );
  }

  private of(kind: ProcessKind): ServiceProcess[] {
    return { api: this.apis, projector: this.projectors, pipeline: this.pipelines }[kind];
  }

  async kill(): Promise<void> {
    await Promise.all(this.all.map((each) => each.kill()));
  }

  async stop(): Promise<number | null> {
    const codes = await Promise.all(this.all.map((each) => each.stop()));
    return codes.find((code) => code !== 0) ?? 0;
  }
}
