import type { getDocument as GetDocument } from 'unpdf/pdfjs';

import { redactSecrets } from '../redact/redact-secrets.js';
import type { PageText } from './layout/page.js';
import { pdfMarkdown } from './layout/pdf-markdown.js';
import { isPdf } from './pdf-magic.js';
import type { PdfChildSettings, PdfRefusal, PdfReport } from './pdf-report.js';
import { outlineOf, PageReader } from './read-pages.js';

// The program of one PDF: bytes on standard input, a report and Markdown on standard output. It
// imports nothing active of the service and reads only its own files and those of the library. An
// attacker who takes it over finds little.

/** Fewest letters a page on average; fewer are page numbers or stamps on pictures. */
const FEWEST_LETTERS_A_PAGE = 8;

/** Bytes at the end of a file that contain its end mark; some producers write a little after it. */
const LOOK_FOR_END = 8_192;

class Refused extends Error {
  constructor(
    readonly reason: PdfRefusal,
    readonly pages?: number,
  ) {
    super(reason);
  }
}

/**
 * After an error of its own, the library continues with less text. A memory error must not look
 * like a short document.
 */
let outOfMemory = false;
for (const method of ['log', 'warn', 'error', 'info'] as const) {
  console[method] = (...words: unknown[]) => {
    outOfMemory ||= words.some((word) => isOutOfMemory(String(word)));
  };
}

function isOutOfMemory(message: string): boolean {
  return /allocation failed|out of memory|invalid (?:typed )?array (?:buffer )?length|invalid string length/i.test(
    message,
  );
}

async function main(settings: PdfChildSettings): Promise<void> {
  try {
    const { report, text } = await extract(await standardInput(), settings);
    await answer(report, text);
  } catch (error) {
    const reason = reasonOf(error);
    const pages =
      error instanceof Refused && error.pages !== undefined ? { pages: error.pages } : {};
    await answer({ ok: false, reason, ...pages }, '');
  }
}

function reasonOf(error: unknown): PdfRefusal {
  if (error instanceof Refused) return error.reason;
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  if (outOfMemory || isOutOfMemory(message)) return 'memory';
  return name === 'PasswordException' ? 'encrypted' : 'broken';
}

async function extract(
  data: Uint8Array,
  settings: PdfChildSettings,
): Promise<{ report: PdfReport; text: string }> {
  // The library would show the content of a truncated file as if it were complete.
  const end = Buffer.from(data.buffer, data.byteOffset, data.byteLength).subarray(-LOOK_FOR_END);
  if (!end.includes('%%EOF')) throw new Refused(isPdf(data) ? 'truncated' : 'broken');
  // The library looks for these when it loads; drawing, which needs them, is never requested.
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D'])
    Object.assign(globalThis, { [name]: class {} });
  const { getDocument } = (await import(settings.library)) as { getDocument: typeof GetDocument };
  const document = await getDocument({
    data,
    verbosity: 1,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    // Pictures contain no text and are not decoded.
    maxImageSize: 1,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
  }).promise;
  const pages = document.numPages;
  if (pages > settings.maxPages) throw new Refused('pages', pages);
  const reader = new PageReader(document);
  const read: PageText[] = [];
  let letters = 0;
  let blank = 0;
  for (let number = 1; number <= pages; number += 1) {
    const page = await reader.read(number);
    const found = page.runs.reduce((sum, { text }) => sum + text.length, 0);
    if (outOfMemory) throw new Refused('memory');
    letters += found;
    if (letters > settings.maxCharacters) throw new Refused('text');
    if (found === 0) blank += 1;
    read.push(page);
  }
  if (letters < FEWEST_LETTERS_A_PAGE * pages && blank >= pages / 2)
    throw new Refused('no_text', pages);
  const { text, starts } = pdfMarkdown(read, await outlineOf(document));
  if (starts.length === 0) throw new Refused('no_text', pages);
  const clean = redactSecrets(text);
  return { report: { ok: true, pages, blank, redacted: clean.found, starts }, text: clean.text };
}

async function standardInput(): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return new Uint8Array(Buffer.concat(pieces));
}

/** Writes the length of the report, the report and the text. */
async function answer(report: PdfReport, text: string): Promise<void> {
  const head = Buffer.from(JSON.stringify(report));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  await new Promise((resolve) =>
    process.stdout.write(Buffer.concat([length, head, Buffer.from(text)]), resolve),
  );
  process.exit(0);
}

await main(JSON.parse(process.argv[2] ?? '{}') as PdfChildSettings);
