import { deflateSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';

import { isStageFailure } from '#contracts';
import { PdfParser } from '#ingest/pdf/pdf-parser';
import { assemblePdf, linesAt, type PdfObject, writePdf } from '#test/support/pdf/pdf-writer';

const MIB = 1024 * 1024;
/** Processor time of this thread for a file that a process of its own reads. */
const MAX_OWN_MS = 2_000;

const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>';
const ONE_PAGE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';
const LEAF =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>';
const WORDS = deflateSync(Buffer.from('BT /F 12 Tf (x) Tj ET'));

/** Files that are cheap to write and may be expensive to read, or never end. */
const SHAPES: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  ['pages within pages, 20,000 deep', () => assemblePdf(deepPages(20_000))],
  [
    'a tree of pages that contains itself',
    () =>
      assemblePdf([
        CATALOGUE,
        '<< /Type /Pages /Count 2 /Kids [3 0 R 2 0 R] >>',
        LEAF,
        { entries: '/Filter /FlateDecode', bytes: WORDS },
      ]),
  ],
  ['100,000 pages', () => assemblePdf(flatPages(100_000))],
  ['200,000 objects that nothing uses', () => assemblePdf(unused(200_000))],
  ['arrays within arrays, 200,000 deep', () => assemblePdf(nested('[', ']', 200_000))],
  [
    'dictionaries within dictionaries, 200,000 deep',
    () => assemblePdf(nested('<< /A ', ' >>', 200_000)),
  ],
  ['an outline that leads back to itself', () => assemblePdf(circularOutline())],
  ['a stream that was compressed six times', () => assemblePdf(compressedOften(6))],
  [
    'cross references that lead back to themselves',
    () => {
      const bytes = assemblePdf([CATALOGUE, ONE_PAGE, LEAF, { entries: '', bytes: WORDS }]);
      const at = bytes.lastIndexOf('xref\n0');
      return assemblePdf([CATALOGUE, ONE_PAGE, LEAF, { entries: '', bytes: WORDS }], `/Prev ${at}`);
    },
  ],
  ['half a million operators without text', () => contentOf('q Q '.repeat(500_000))],
  ['text of one line without an end', () => contentOf(`BT /F 1 Tf (${'x'.repeat(5 * MIB)}) Tj ET`)],
];

describe('hostile PDFs', () => {
  const parser = new PdfParser({
    limits: { maxPages: 2_000, maxSeconds: 60, maxMemory: 512 * MIB },
    processes: 2,
    logger: { warn: () => undefined },
  });
  const signal = new AbortController().signal;
  const read = (bytes: Buffer, tenantId: string) =>
    parser.parse('guide.pdf', bytes, 'guide.pdf', { tenantId, signal });

  it.each(SHAPES)(
    'are read or rejected for good, and another tenant’s is read at the same time: %s',
    async (_, make) => {
      const bytes = make();
      const before = process.threadCpuUsage();
      const [outcome, other] = await Promise.all([
        read(bytes, 't1').then(
          () => 'read',
          (error: unknown) => error,
        ),
        read(writePdf([linesAt(72, 100, ['Some words.'])]), 't2'),
      ]);
      const { user, system } = process.threadCpuUsage(before);
      expect(other.document.text.trim()).toBe('Some words.');
      if (outcome !== 'read') {
        if (!isStageFailure(outcome)) throw outcome;
        expect(outcome.retryable).toBe(false);
        expect(outcome.message).toMatch(/^The PDF guide\.pdf (is|has|takes|took|cannot) /);
      }
      expect((user + system) / 1_000).toBeLessThan(MAX_OWN_MS);
    },
  );
});

/** Every level has one child; the last is a page. */
function deepPages(levels: number): readonly PdfObject[] {
  const inner = Array.from(
    { length: levels },
    (_, at) => `<< /Type /Pages /Count 1 /Kids [${at + 3} 0 R] >>`,
  );
  return [CATALOGUE, ...inner, LEAF.replace('4 0 R', `${levels + 3} 0 R`), words()];
}

function flatPages(count: number): readonly PdfObject[] {
  const kids = Array.from({ length: count }, () => '3 0 R').join(' ');
  return [CATALOGUE, `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`, LEAF, words()];
}

function unused(count: number): readonly PdfObject[] {
  return [CATALOGUE, ONE_PAGE, LEAF, words(), ...Array.from({ length: count }, () => '<< >>')];
}

function nested(open: string, close: string, depth: number): readonly PdfObject[] {
  const resources = `/Resources << /X ${open.repeat(depth)}0${close.repeat(depth)} >>`;
  return [CATALOGUE, ONE_PAGE, LEAF.replace('/Resources << >>', resources), words()];
}

function circularOutline(): readonly PdfObject[] {
  return [
    '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
    ONE_PAGE,
    LEAF,
    words(),
    '<< /Type /Outlines /Count 2 /First 6 0 R /Last 7 0 R >>',
    '<< /Title (One) /Parent 5 0 R /Next 7 0 R /First 5 0 R /Dest [3 0 R /Fit] >>',
    '<< /Title (Two) /Parent 5 0 R /Next 6 0 R /Dest [3 0 R /Fit] >>',
  ];
}

function compressedOften(times: number): readonly PdfObject[] {
  let bytes: Buffer = Buffer.alloc(64 * MIB, ' ');
  for (let time = 0; time < times; time += 1) bytes = deflateSync(bytes);
  const filters = Array.from({ length: times }, () => '/FlateDecode').join(' ');
  return [CATALOGUE, ONE_PAGE, LEAF, { entries: `/Filter [${filters}]`, bytes }];
}

function contentOf(operators: string): Buffer {
  const bytes = deflateSync(Buffer.from(operators, 'latin1'));
  return assemblePdf([CATALOGUE, ONE_PAGE, LEAF, { entries: '/Filter /FlateDecode', bytes }]);
}

function words(): PdfObject {
  return { entries: '/Filter /FlateDecode', bytes: WORDS };
}
