import { createHash } from 'node:crypto';

import { StageFailure, type Upload } from '#contracts';
import { type BlobStore, isBlobGone, joinBytes } from '#platform';

import type {
  FetchedDocument,
  Fetcher,
  FetchRequest,
  KnownDocument,
  SourceDocument,
  SourceSnapshot,
  SourceVersion,
} from '../fetch/fetcher.port.js';
import { WebClient } from '../web/web-client.js';
import { isPdf } from './pdf-magic.js';

export interface PdfFetcherOptions {
  /** Storage of uploaded files. */
  readonly uploads: Pick<BlobStore, 'get'>;
  /** Largest file, bytes. */
  readonly maxBytes: number;
}

/**
 * Reads one PDF. A PDF from a URL is fetched again only if it changed; an uploaded one never
 * changes. The version is its hash.
 */
export function createPdfFetcher(options: PdfFetcherOptions): Fetcher {
  return {
    resolve: async (request) => {
      const { upload } = request.definition;
      return upload
        ? uploadedVersion(upload, options)
        : { ref: null, open: (known) => openUrl(request, known, options) };
    },
  };
}

function uploadedVersion(upload: Upload, { uploads }: PdfFetcherOptions): SourceVersion {
  const { blob, file_name, bytes: size } = upload;
  const document: SourceDocument = { path: file_name, kind: 'pdf', version: blob, size };
  return {
    ref: blob,
    open: async () => snapshotOf(document, () => uploadedBytes(upload, uploads)),
  };
}

async function uploadedBytes(
  { blob, file_name }: Upload,
  uploads: Pick<BlobStore, 'get'>,
): Promise<Uint8Array> {
  return uploads.get(blob).catch((error: unknown) => {
    if (!isBlobGone(error)) throw error;
    const message = `The uploaded file ${file_name} is not in the blob store any more: upload it again`;
    throw new StageFailure(message, false, { url: file_name }, { cause: error });
  });
}

async function openUrl(
  request: FetchRequest,
  known: readonly KnownDocument[],
  options: PdfFetcherOptions,
): Promise<SourceSnapshot> {
  const { url } = request.definition;
  const before = known.find(({ path }) => path === url);
  const first = await download(request, before, options);
  const document = first ?? before;
  if (!document) throw new Error('Nothing was known that could be unchanged');
  const { version, etag, last_modified } = document;
  const listed: SourceDocument = {
    path: url,
    kind: 'pdf',
    version,
    size: first?.bytes.byteLength ?? null,
    ...(etag !== undefined && { etag }),
    ...(last_modified !== undefined && { last_modified }),
  };
  // A known document is not sent, but its content may still be requested.
  return snapshotOf(listed, async () => {
    const read = first ?? (await download(request, undefined, options));
    if (read?.version !== version)
      throw new StageFailure(`The PDF ${url} changed while it was read`, true, { url });
    return read.bytes;
  });
}

interface Download {
  readonly version: string;
  readonly bytes: Uint8Array;
  readonly etag?: string;
  readonly last_modified?: string;
}

/** Downloads the PDF; null if the known version is still current. */
async function download(
  { definition: { url }, network, signal, timeoutMs, onProgress }: FetchRequest,
  known: KnownDocument | undefined,
  { maxBytes }: PdfFetcherOptions,
): Promise<Download | null> {
  const client = new WebClient({ network, userAgent: 'Footnote', signal, timeoutMs });
  try {
    const { etag, last_modified } = known ?? {};
    const answer = await client.stream(url, {
      maxBytes,
      accept: 'application/pdf,*/*;q=0.5',
      etag,
      last_modified,
    });
    if (answer.kind === 'unchanged') return null;
    const hash = createHash('sha256');
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of answer.body) {
      hash.update(piece);
      pieces.push(piece);
      size += piece.byteLength;
      onProgress?.(`Fetched ${size} bytes of ${url}`);
    }
    const bytes = await joinBytes(pieces);
    if (!isPdf(bytes)) {
      const type = answer.mediaType === '' ? '' : `, but ${answer.mediaType}`;
      throw new StageFailure(`What ${url} answers is not a PDF${type}`, false, { url });
    }
    const { etag: newEtag, last_modified: changed } = answer;
    return {
      version: hash.digest('hex'),
      bytes,
      ...(newEtag !== undefined && { etag: newEtag }),
      ...(changed !== undefined && { last_modified: changed }),
    };
  } finally {
    await client.close();
  }
}

function snapshotOf(document: SourceDocument, bytes: () => Promise<Uint8Array>): SourceSnapshot {
  return {
    ref: document.version,
    documents: [document],
    skipped: {},
    async *read(documents): AsyncGenerator<FetchedDocument> {
      for (const { path, kind } of documents) yield { path, kind, bytes: await bytes() };
    },
    close: () => Promise.resolve(),
  };
}
