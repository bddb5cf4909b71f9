import type { JobEvent, RecordedEvent } from '#contracts';
import { type JobReport, reportJob } from '#domain';
import { type ReadEvent, readEvent } from '#event-store';

/** Returns the report of a job after one more event of its stream. */
export function reportAfter(report: JobReport, recorded: RecordedEvent): JobReport {
  const event = readEvent(recorded);
  return event?.type.startsWith('Job')
    ? reportJob(report, event as ReadEvent<JobEvent['type']>)
    : report;
}
