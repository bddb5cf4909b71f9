/**
 * Why an archive is not read. `too_large`: over a limit, or made to unpack far beyond what was
 * sent. `broken`: cut off, damaged, or other than it says of itself. `hostile`: it names places
 * outside of itself, or what no package holds. The message completes the sentence that the
 * archive's name begins.
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
