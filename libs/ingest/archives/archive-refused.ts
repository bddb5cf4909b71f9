/**
 * Error for an archive that is not read. The message completes a sentence that starts with the
 * archive's name. The reasons are:
 *
 * - `too_large`: over a limit, or unpacks to far more than its packed size.
 * - `broken`: cut off, damaged, or inconsistent with its own headers.
 * - `hostile`: names paths outside of itself, or contains entries that no package contains.
 */
export class ArchiveRefusedError extends Error {
  override readonly name = 'ArchiveRefusedError';

  constructor(
    readonly reason: 'too_large' | 'broken' | 'hostile',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
