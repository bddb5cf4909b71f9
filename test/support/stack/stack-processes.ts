import { ServiceProcess, type RunningService, type ServiceOptions } from '../service-process.js';

/** How many of each process. */
export interface ProcessCounts {
  readonly api?: number;
  readonly projector?: number;
  readonly pipeline?: number;
}

/** The service as separate processes on servers, seen as one; requests go to the first API. */
export class StackProcesses implements RunningService {
  private constructor(
    readonly apis: ServiceProcess[],
    readonly projectors: ServiceProcess[],
    readonly pipelines: ServiceProcess[],
  ) {}

  static async start(
    options: ServiceOptions,
    { api = 1, projector = 1, pipeline = 1 }: ProcessCounts = {},
  ): Promise<StackProcesses> {
    const start = (entry: string, count: number) =>
      Array.from({ length: count }, () => ServiceProcess.start({ ...options, entry }));
    const started = [
      start('apps/projector/main', projector),
      start('apps/api/main', api),
      start('apps/pipeline/main', pipeline),
    ];
    const settled = await Promise.allSettled(started.flat());
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed) {
      for (const each of settled) if (each.status === 'fulfilled') await each.value.kill();
      throw failed.reason;
    }
    const [projectors = [], apis = [], pipelines = []] = await Promise.all(started.map((each) => Promise.all(each)));
    return new StackProcesses(apis, projectors, pipelines);
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

  async kill(): Promise<void> {
    await Promise.all(this.all.map((each) => each.kill()));
  }

  async stop(): Promise<number | null> {
    const codes = await Promise.all(this.all.map((each) => each.stop()));
    return codes.find((code) => code !== 0) ?? 0;
  }
}
