/** The job was ended or taken over by somebody else: what this attempt does no longer counts. */
export class AttemptEnded extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'AttemptEnded';
  }
}

/** The job has ended, so that nobody needs what its attempt waits for. */
export class JobEnded extends AttemptEnded {
  constructor() {
    super('The job ended');
    this.name = 'JobEnded';
  }
}

/** The process stops; the job goes on elsewhere. */
export class ProcessStops extends AttemptEnded {
  constructor() {
    super('The process is shutting down');
    this.name = 'ProcessStops';
  }
}

/** The job that an attempt works for. */
export interface RunOwner {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly job_id: string;
}

interface Run {
  readonly owner: RunOwner;
  readonly controller: AbortController;
  readonly since: number;
}

/**
 * The stages at work in this process, so that a cancel, a removal or a lost lease reaches them at
 * once. An attempt that was ended stays until its last write is over.
 */
export class ActiveRuns {
  private readonly runs = new Set<Run>();

  /**
   * Start of the longest running attempt, milliseconds since the epoch; null while no attempt runs.
   */
  get oldestStart(): number | null {
    const starts = [...this.runs].map(({ since }) => since);
    return starts.length === 0 ? null : Math.min(...starts);
  }

  /**
   * @param since the present time, milliseconds since the epoch.
   * @returns a way to leave, to be called when the attempt is over.
   */
  enter(owner: RunOwner, controller: AbortController, since: number): () => void {
    const run = { owner, controller, since };
    this.runs.add(run);
    return () => this.runs.delete(run);
  }

  /** Ends whatever works on the job. */
  end(jobId: string, reason: string): void {
    for (const { owner, controller } of this.runs) {
      if (owner.job_id === jobId) controller.abort(new AttemptEnded(reason));
    }
  }

  worksForTenant(tenantId: string): boolean {
    return [...this.runs].some(({ owner }) => owner.tenant_id === tenantId);
  }

  worksOnSource(sourceId: string): boolean {
    return [...this.runs].some(({ owner }) => owner.source_id === sourceId);
  }
}
