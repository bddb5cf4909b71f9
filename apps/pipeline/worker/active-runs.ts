/** The job was ended or taken over by somebody else: what this attempt does no longer counts. */
export class AttemptEnded extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'AttemptEnded';
  }
}

/** The stages at work in this process, so that a cancel, a removal or a lost lease reaches them at once. */
export class ActiveRuns {
  private readonly byJob = new Map<string, Set<AbortController>>();

  get count(): number {
    return this.byJob.size;
  }

  /** @returns a way to leave, to be called when the attempt is over. */
  enter(jobId: string, controller: AbortController): () => void {
    const runs = this.byJob.get(jobId) ?? new Set();
    this.byJob.set(jobId, runs.add(controller));
    return () => {
      runs.delete(controller);
      if (runs.size === 0) this.byJob.delete(jobId);
    };
  }

  /** Ends whatever works on the job. */
  end(jobId: string, reason: string): void {
    for (const controller of this.byJob.get(jobId) ?? []) controller.abort(new AttemptEnded(reason));
  }
}
