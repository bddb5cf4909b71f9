import { pathToFileURL } from 'node:url';

import { StageFailure } from '#contracts';
import { FairSemaphore, type Logger, mostOf } from '#platform';

import type { ParsedDocument } from '../parse/parsed-document.js';
import type { PdfChildSettings, PdfRefusal, PdfReport } from './pdf-report.js';
import {
  type ChildEnd,
  confinementHere,
  pdfLibrary,
  type PdfLimits,
  runPdfChild,
} from './pdf-sandbox.js';

/** Most text of one document, in characters; a thousand pages of print have three million. */
const MAX_CHARACTERS = 20_000_000;
/** Most bytes of output: that text in UTF-8, and the report. */
const MAX_OUTPUT = 3 * MAX_CHARACTERS + 1024 * 1024;

export interface PdfParserOptions {
  readonly limits: PdfLimits;
  /**
   * Files that are parsed at once; each may take `limits.maxMemory`. One tenant has at most half of
   * them, so that its slow files do not block others.
   */
  readonly processes: number;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface PdfOwner {
  readonly tenantId: string;
  readonly signal: AbortSignal;
}

/** A PDF as text, with counts of its pages. */
export interface ParsedPdf {
  readonly document: ParsedDocument;
  readonly pages: number;
  /** Pages without text: pictures, scans, or empty. */
  readonly blankPages: number;
  /** Secrets replaced by markers in the text, by kind. */
  readonly redacted: Readonly<Record<string, number>>;
}

/** Converts PDFs to text, each in a confined process of its own, a few at a time. */
export class PdfParser {
  private readonly processes: FairSemaphore;
  private warned = false;

  constructor(private readonly options: PdfParserOptions) {
    const { processes: places } = options;
    this.processes = new FairSemaphore({ places, mostOfTenant: mostOf(places) });
  }

  /**
   * Returns a PDF as text. @param shown name of the file in messages. @param owner tenant of the
   * file, with the deadline of the request. @throws StageFailure, final, with the reason why there
   * is no text; the signal's reason when aborted.
   */
  async parse(
    path: string,
    bytes: Uint8Array,
    shown: string,
    { tenantId, signal }: PdfOwner,
  ): Promise<ParsedPdf> {
    await this.warnOnce();
    return this.processes.run(tenantId, () => this.read(path, bytes, shown, signal), signal);
  }

  private async read(
    path: string,
    bytes: Uint8Array,
    shown: string,
    signal: AbortSignal,
  ): Promise<ParsedPdf> {
    const settings: PdfChildSettings = {
      library: pathToFileURL(pdfLibrary()).href,
      maxPages: this.options.limits.maxPages,
      maxCharacters: MAX_CHARACTERS,
    };
    const outcome = await runPdfChild(bytes, settings, this.options.limits, {
      maxOutput: MAX_OUTPUT,
      signal,
    });
    if ('ended' in outcome) throw failure(shown, this.endedBy(outcome.ended));
    const { report, text } = read(outcome.output);
    if (!report.ok) throw failure(shown, this.refusal(report.reason, report.pages));
    const marks = report.starts.map(({ page, row }) => ({
      row,
      fragment: `#page=${page}`,
      breaks: true as const,
    }));
    return {
      document: { path, kind: 'page', language: 'pdf', text, marks },
      pages: report.pages,
      blankPages: report.blank,
      redacted: report.redacted,
    };
  }

  private async warnOnce(): Promise<void> {
    if (this.warned) return;
    this.warned = true;
    const { withoutNetwork, prlimit } = await confinementHere();
    const missing = [
      ...(withoutNetwork.length === 0 ? ['its network cannot be taken away (unshare)'] : []),
      ...(prlimit === undefined ? ['memory is limited for its heap alone (prlimit)'] : []),
    ];
    if (missing.length === 0) return;
    this.options.logger.warn(
      {},
      `PDFs are parsed in a process that is confined less than it could be: ${missing.join('; ')}`,
    );
  }

  private endedBy(end: ChildEnd): string {
    const { maxSeconds, maxMemory } = this.options.limits;
    switch (end) {
      case 'time':
        return `took longer than ${maxSeconds} s to read (PDF_MAX_SECONDS)`;
      case 'memory':
        return `takes more memory to read than ${mebibytes(maxMemory)} MiB (PDF_MAX_MEMORY)`;
      case 'output':
        return TOO_MUCH_TEXT;
      case 'crash':
        return 'cannot be read: the program that read it broke down';
    }
  }

  private refusal(reason: PdfRefusal, pages = 0): string {
    switch (reason) {
      case 'encrypted':
        return 'is encrypted and cannot be opened without its password';
      case 'broken':
        return 'is broken: it cannot be read as a PDF';
      case 'truncated':
        return 'is incomplete: its end is missing';
      case 'pages':
        return `has ${pages} pages, more than ${this.options.limits.maxPages} (PDF_MAX_PAGES)`;
      case 'no_text':
        return `has no text on its ${pages} ${pages === 1 ? 'page' : 'pages'}: it is scanned, or has drawings alone; recognize its text (OCR) first`;
      case 'text':
        return TOO_MUCH_TEXT;
      case 'memory':
        return this.endedBy('memory');
    }
  }
}

const TOO_MUCH_TEXT = `has more than ${MAX_CHARACTERS / 1_000_000} million characters of text`;

function failure(shown: string, what: string): StageFailure {
  return new StageFailure(`The PDF ${shown} ${what}`, false, { url: shown });
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function read(output: Buffer): { report: PdfReport; text: string } {
  const end = 4 + output.readUInt32LE(0);
  const report = JSON.parse(output.toString('utf8', 4, end)) as PdfReport;
  return { report, text: output.toString('utf8', end) };
}
