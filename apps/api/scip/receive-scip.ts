import type { Readable } from 'node:stream';

import { FootnoteError, validationFailed } from '#contracts';
import { asStorageFull, isStorageFull } from '#platform';

import { SCIP_BODY_LIMIT, scipTooLarge } from '../edge/scip-body.js';
import { SpooledFile } from '../sources/upload/spooled-file.js';

/**
 * Stores a body on disk while it arrives. A rejected one leaves no trace.
 *
 * @param folder of the file during the upload.
 * @returns a file that its receiver closes.
 * @throws FootnoteError `validation_failed`, `body_too_large`, `bad_request` or `storage_full`.
 */
export async function receiveScip(body: Readable, folder: string): Promise<SpooledFile> {
  const file = await SpooledFile.create(folder);
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      if (file.size + piece.byteLength > SCIP_BODY_LIMIT) throw scipTooLarge();
      await file.append(piece);
    }
    if (file.size === 0) throw validationFailed([{ field: 'body', message: 'must not be empty' }]);
    return file;
  } catch (error) {
    await file.close();
    throw asProblem(error);
  }
}

function asProblem(error: unknown): unknown {
  if (isStorageFull(error)) return asStorageFull(error, 'The folder for uploads');
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ECONNRESET' && code !== 'ERR_STREAM_PREMATURE_CLOSE') return error;
  return new FootnoteError('bad_request', 'The body is incomplete', { cause: error });
}
