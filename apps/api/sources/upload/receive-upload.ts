import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

import { type FieldProblem, FootnoteError, isFootnoteError, validationFailed } from '#contracts';
import { textProblem } from '#contracts/http/validation/text';
import { isPdf, PDF_HEAD_BYTES } from '#ingest/pdf/pdf-magic';
import { asStorageFull, isStorageFull, isUuid } from '#platform';

import { uploadTooLarge } from '../../edge/multipart-body.js';
import { SpooledFile } from './spooled-file.js';

export interface UploadLimits {
  readonly maxBytes: number;
  /** Path of the file during the upload. */
  readonly folder: string;
  /**
   * The form names a conversation in `conversation_id`, and no `name`. Default: the other way
   * round.
   */
  readonly conversation?: boolean;
}

/** An uploaded form; the file is its receiver's to close. */
export interface ReceivedUpload {
  readonly file: SpooledFile;
  /** The file's own name, without folders. */
  readonly fileName: string;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** The display name, where one was given. */
  readonly name: string | undefined;
  /** The conversation that it is put into, where the form names one. */
  readonly conversationId: string | undefined;
}

const MAX_NAME = 200;
const MAX_FILE_NAME = 255;

/**
 * Receives the form of an upload. The file goes to disk as it arrives, up to the allowed size. It
 * is rejected as soon as its first bytes are not those of a PDF. A rejected file leaves no trace.
 *
 * @throws FootnoteError `validation_failed`, `unsupported_media_type`, `body_too_large`,
 * `bad_request`, `storage_full`.
 */
export async function receiveUpload(
  request: FastifyRequest,
  limits: UploadLimits,
): Promise<ReceivedUpload> {
  const form = new Form(limits);
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') await form.takeFile(part);
      else form.takeField(part.fieldname, part.value);
    }
    return form.finish();
  } catch (error) {
    await form.discard();
    // Bytes that still arrive are dropped, so that the sender can read the answer.
    request.raw.unpipe();
    request.raw.resume();
    throw asProblem(error);
  }
}

class Form {
  private file: SpooledFile | undefined;
  private fileName = '';
  private name: string | undefined;
  private conversationId: string | undefined;
  private readonly problems: FieldProblem[] = [];

  constructor(private readonly limits: UploadLimits) {}

  takeField(field: string, value: unknown): void {
    if (field === 'file') this.problems.push({ field, message: 'must be a file' });
    else if (field === 'conversation_id' && this.limits.conversation) this.takeConversation(value);
    else if (field !== 'name' || this.limits.conversation)
      this.problems.push({ field: field.slice(0, 64), message: 'is not a known field' });
    else if (this.name !== undefined) this.problems.push({ field, message: 'must be given once' });
    else {
      const problem = textProblem(value, { max: MAX_NAME, kind: 'name' });
      if (problem !== null) this.problems.push({ field, message: problem });
      this.name = String(value);
    }
  }

  private takeConversation(value: unknown): void {
    const field = 'conversation_id';
    if (this.conversationId !== undefined)
      this.problems.push({ field, message: 'must be given once' });
    if (typeof value === 'string' && isUuid(value)) this.conversationId = value;
    else this.problems.push({ field, message: 'must be a UUID' });
  }

  async takeFile({ fieldname, filename, file }: MultipartFile): Promise<void> {
    if (fieldname !== 'file')
      throw validationFailed([{ field: fieldname.slice(0, 64), message: 'is not a known field' }]);
    const problem = textProblem(filename, { max: MAX_FILE_NAME, kind: 'name' });
    if (problem !== null)
      throw validationFailed([{ field: 'file', message: `has a file name that ${problem}` }]);
    this.fileName = filename;
    const spooled = (this.file = await SpooledFile.create(this.limits.folder));
    let isChecked = false;
    for await (const piece of file as AsyncIterable<Uint8Array>) {
      if (spooled.size + piece.byteLength > this.limits.maxBytes)
        throw uploadTooLarge(this.limits.maxBytes);
      await spooled.append(piece);
      if (isChecked || spooled.size < PDF_HEAD_BYTES) continue;
      await requirePdf(spooled);
      isChecked = true;
    }
    if (spooled.size === 0)
      throw validationFailed([{ field: 'file', message: 'must not be empty' }]);
    await requirePdf(spooled);
  }

  finish(): ReceivedUpload {
    const { file, fileName, name, conversationId } = this;
    if (!file) this.problems.push({ field: 'file', message: 'must be a file' });
    if (this.limits.conversation && conversationId === undefined && this.problems.length === 0) {
      this.problems.push({ field: 'conversation_id', message: 'must be given' });
    }
    if (this.problems.length > 0 || !file) throw validationFailed(this.problems);
    return { file, fileName, hash: file.digest(), name, conversationId };
  }

  async discard(): Promise<void> {
    await this.file?.close();
  }
}

async function requirePdf(file: SpooledFile): Promise<void> {
  if (isPdf(await file.read(PDF_HEAD_BYTES))) return;
  throw new FootnoteError('unsupported_media_type', 'File must be a PDF: it must start with %PDF-');
}

/** Converts an error of the form parser to an error for the client. */
function asProblem(error: unknown): unknown {
  if (isFootnoteError(error) || !(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_FILES_LIMIT')
    return validationFailed([{ field: 'file', message: 'must be one file' }]);
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT') {
    return validationFailed([{ field: 'body', message: 'has too many parts' }]);
  }
  if (isStorageFull(error)) return asStorageFull(error, 'The folder for uploads');
  // Errors of the file system name what was called; those of the form's parser are about what was
  // sent.
  if ('syscall' in error && code !== 'ECONNRESET') return error;
  return new FootnoteError(
    'bad_request',
    'The form cannot be read: it is incomplete or not valid multipart/form-data',
    {
      cause: error,
    },
  );
}
