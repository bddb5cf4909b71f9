import { readListing, type SourceListing } from '../artifacts/source-listing.js';
import type { StageContext } from './stage.types.js';

/** The artifact that the stage before left. */
export async function requireListing({ job, parts }: StageContext): Promise<SourceListing> {
  if (job.artifact === null)
    throw new Error(`Stage ${job.stage} of job ${job.job_id} has no input`);
  return readListing(parts, job.artifact);
}
