import type { Session } from './session.js';

/** Follows a job to its end, with progress on a terminal. A job that did not complete is a no. */
export async function followJob(session: Session, jobId: string): Promise<void> {
  const { terminal } = session;
  const client = await session.client();
  for await (const event of client.streams.job(jobId, { signal: session.signal })) {
    if (terminal.mode === 'json') terminal.line(JSON.stringify(event));
    if (event.event === 'error') {
      terminal.progressEnded();
      terminal.note(event.data.error);
      session.negative();
      return;
    }
    const { status, stage, progress_percent, progress_message, error_message } = event.data;
    terminal.progress(`${progress_percent} % ${stage} ${progress_message}`);
    if (event.event !== 'done') continue;
    terminal.progressEnded();
    if (status !== 'completed') session.negative();
    if (terminal.mode !== 'json') terminal.line(`${jobId} ${status}`);
    if (error_message !== null) terminal.note(error_message);
  }
}
