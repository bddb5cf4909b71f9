const WIDTH = 28;

/** The part of a job that the bar shows. */
export interface ShownJob {
  readonly status: string;
  readonly stage: string;
  readonly progress_percent: number;
  readonly progress_message: string;
}

/** Draws a job's progress: one moving line on a terminal, one line per stage elsewhere. */
export class ProgressBar {
  private shown = '';

  constructor(private readonly out: NodeJS.WriteStream) {}

  show(job: ShownJob): void {
    if (this.out.isTTY) {
      const line = `  ${bar(job.progress_percent)} ${job.stage.padEnd(8)} ${job.progress_message}`;
      this.out.write(`\r\x1b[2K${line.slice(0, (this.out.columns ?? 80) - 1)}`);
      return;
    }
    if (job.stage === this.shown) return;
    this.shown = job.stage;
    this.out.write(`  ${bar(job.progress_percent)} ${job.stage}\n`);
  }

  /** Ends the moving line. */
  end(): void {
    if (this.out.isTTY) this.out.write('\r\x1b[2K');
  }
}

function bar(percent: number): string {
  const full = Math.round((Math.min(100, Math.max(0, percent)) / 100) * WIDTH);
  return `[${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}] ${String(percent).padStart(3)} %`;
}
