import { ApiProperty } from '@nestjs/swagger';

import { ChatCitationView } from './chat.dto.js';
import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';

const MAX_TITLE = 200;

export class CreateConversationBody {
  /** Default: made from the first question. */
  @Optional()
  @Text({ max: MAX_TITLE, kind: 'name' })
  title?: string;
}

export class UpdateConversationBody {
  @Text({ max: MAX_TITLE, kind: 'name' })
  title: string;
}

export class ConversationView {
  id: string;
  /** Null until the first question. */
  @ApiProperty({ type: String, nullable: true })
  title: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  /** Time of the last turn or other change. */
  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

const MESSAGE_ROLES = ['user', 'assistant'] as const;

/** A question or an answer. */
export class ConversationMessageView {
  @ApiProperty({ enum: [...MESSAGE_ROLES] })
  role: (typeof MESSAGE_ROLES)[number];
  content: string;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  /** Citations of an answer; absent in questions. */
  citations?: ChatCitationView[];
  /** Only in answers: GET /receipts/{id} returns the evidence. */
  receipt_id?: string;
}

/** A PDF that was put into a conversation. */
export class ConversationDocumentView {
  document_id: string;
  file_name: string;
  @ApiProperty({ format: 'date-time' })
  uploaded_at: string;
  /** Whether turns find it yet. */
  is_indexed: boolean;
}

export class ConversationDetailView extends ConversationView {
  /** Oldest first. */
  messages: ConversationMessageView[];
  /** Oldest first. */
  documents: ConversationDocumentView[];
}

export class ConversationList {
  conversations: ConversationView[];
  total: number;
}

export class UploadPdfForm {
  /** The PDF. */
  @ApiProperty({ type: String, format: 'binary' })
  file: unknown;

  /** The conversation of the signed-in person that it is put into. */
  @ApiProperty({ type: String, format: 'uuid' })
  conversation_id: string;
}

/** A document of a conversation. */
export class UploadedPdfView {
  document_id: string;
  file_name: string;
  pages: number;
  chunks: number;
  conversation_id: string;
}
