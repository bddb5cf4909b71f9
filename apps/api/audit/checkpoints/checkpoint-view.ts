import type { CheckpointView } from '#contracts/http/index';
import type { SignedHead } from '#transparency';

/** Returns a checkpoint as the API shows it. */
export function checkpointView({
  size,
  root,
  signedAt,
  keyId,
  checkpoint,
}: SignedHead): CheckpointView {
  return { size, root, signed_at: signedAt, key_id: keyId, checkpoint };
}
