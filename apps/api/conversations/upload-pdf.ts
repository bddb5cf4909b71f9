import { Command, CommandBus, type ICommandHandler } from '@nestjs/cqrs';

import { FootnoteError, isFootnoteError } from '#contracts';
import type { UploadedPdfView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import type { ReceivedUpload } from '../sources/upload/receive-upload.js';
import { type UploadPlace, UploadSource } from '../sources/upload-source.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Conversations } from './conversations.js';
import { audienceOf, ConversationDocuments } from './documents/conversation-documents.js';
import { DocumentJobs, WaitingUploads } from './documents/document-jobs.js';

/**
 * Puts a PDF into a conversation and waits until its turns find it. The file stays the caller's to
 * close.
 */
export class UploadPdf extends Command<UploadedPdfView> {
  constructor(
    readonly caller: Caller,
    readonly conversationId: string,
    readonly upload: ReceivedUpload,
  ) {
    super();
  }
}

/**
 * The conversation names the document before the source is registered: whatever became of it,
 * deleting the conversation removes it. One that cannot be read is removed at once.
 */
@Handles(UploadPdf)
export class UploadPdfHandler implements ICommandHandler<UploadPdf> {
  constructor(
    private readonly conversations: Conversations,
    private readonly documents: ConversationDocuments,
    private readonly jobs: DocumentJobs,
    private readonly waiting: WaitingUploads,
    private readonly identities: CommandIdentities,
    private readonly commands: CommandBus,
  ) {}

  /**
   * @throws FootnoteError `conversation_not_found`, `conversation_full`, as uploading a source, and
   * as the jobs do.
   */
  async execute({ caller, conversationId: id, upload }: UploadPdf): Promise<UploadedPdfView> {
    const { state } = await this.conversations.read(caller, id);
    const release = this.waiting.take(caller.tenantId);
    try {
      const { fileName: file_name, hash } = upload;
      const identity = await this.identities.of(caller, {
        conversation_id: id,
        file_name,
        blob: hash,
      });
      const document_id = identity.newId('source');
      const data = { user_id: state.user_id, document_id };
      await this.conversations.change(caller, id, { type: 'AddDocument', data });
      const jobId = await this.register(caller, upload, {
        identity,
        audience: audienceOf(id),
        sourceId: document_id,
      });
      const { pages, chunks } = await this.indexed(caller, id, document_id, jobId);
      return { document_id, file_name, pages, chunks, conversation_id: id };
    } finally {
      release();
    }
  }

  /** The pipeline removes documents that a deletion of the conversation did not see. */
  private async register(
    caller: Caller,
    upload: ReceivedUpload,
    place: UploadPlace,
  ): Promise<string> {
    try {
      return (await this.commands.execute(new UploadSource(caller, upload, place))).job_id;
    } catch (error) {
      if (!isFootnoteError(error, 'source_not_found')) throw error;
      throw new FootnoteError(
        'conversation_not_found',
        'The conversation was deleted during the request',
      );
    }
  }

  private async indexed(caller: Caller, id: string, documentId: string, jobId: string) {
    try {
      return await this.jobs.indexed(jobId);
    } catch (error) {
      if (isFootnoteError(error, 'validation_failed'))
        await this.documents.remove(caller, id, [documentId]);
      throw error;
    }
  }
}
