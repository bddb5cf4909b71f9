/** The job was ended or taken over by somebody else: what this attempt does no longer counts. */
export class AttemptEnded extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'AttemptEnded';
  }
}

/** The stages at work in this process, so that a cancel, a removal or a lost lease reaches them at once. */
export class ActiveRuns {
  private readonly byJob = new Map<string, Map<AbortController, number>>();

  /** When the attempt that has been at work the longest began, milliseconds since the epoch; null while there is none. */
  get oldestStart(): number | null {
    const starts = [...this.byJob.values()].flatMap((runs) => [...runs.values()]);
    return starts.length === 0 ? null : Math.min(...starts);
  }

  /**
   * @param since the present time, milliseconds since the epoch.
   * @returns a way to leave, to be called when the attempt is over.
   */
  enter(jobId: string, controller: AbortController, since: number): () => void {
    const runs = this.byJob.get(jobId) ?? new Map<AbortController, number>();
    this.byJob.set(jobId, runs.set(controller, since));
    return () => {
      runs.delete(controller);
      if (runs.size === 0) this.byJob.delete(jobId);
    };
  }

  /** Ends whatever works on the job. */
  end(jobId: string, reason: string): void {
    for (const controller of this.byJob.get(jobId)?.keys() ?? []) controller.abort(new AttemptEnded(reason));
  }
}
