import { deflateSync } from 'node:zlib';

/** Text on a page of US letter size (612 × 792 points): `y` counts from the top to the baseline. */
export interface DrawnText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly font?: 'regular' | 'bold' | 'mono';
}

export interface PdfOptions {
  /** Titles and the pages, from 0, that they lead to. */
  readonly outline?: readonly { readonly title: string; readonly page: number }[];
  /** Further entries of the catalogue, such as an action to open with. */
  readonly catalogue?: string;
}

const FONTS = { regular: 'Helvetica', bold: 'Helvetica-Bold', mono: 'Courier' } as const;

/**
 * Objects of a PDF by number, from 1: the catalogue is the first. A stream is its dictionary's
 * entries and its bytes.
 */
export type PdfObject = string | { readonly entries: string; readonly bytes: Uint8Array };

/** A PDF of pages with text on them. Characters are those of Latin-1. */
export function writePdf(
  pages: readonly (readonly DrawnText[])[],
  options: PdfOptions = {},
): Buffer {
  const fonts = Object.entries(FONTS);
  const firstPage = 3 + fonts.length;
  const outline = options.outline ?? [];
  const firstEntry = firstPage + 2 * pages.length + 1;
  const objects: PdfObject[] = [
    `<< /Type /Catalog /Pages 2 0 R ${outline.length > 0 ? `/Outlines ${firstEntry - 1} 0 R` : ''} ${options.catalogue ?? ''} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${firstPage + 2 * at} 0 R`).join(' ')}] >>`,
    ...fonts.map(
      ([, name]) =>
        `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
    ),
    ...pages.flatMap((drawn, at): PdfObject[] => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${firstPage + 2 * at + 1} 0 R /Resources << /Font << ` +
        `${fonts.map(([key], index) => `/${key} ${3 + index} 0 R`).join(' ')} >> >> >>`,
      {
        entries: '/Filter /FlateDecode',
        bytes: deflateSync(Buffer.from(drawn.map(shown).join('\n'), 'latin1')),
      },
    ]),
    `<< /Type /Outlines /Count ${outline.length} /First ${firstEntry} 0 R /Last ${firstEntry + outline.length - 1} 0 R >>`,
    ...outline.map(
      ({ title, page }, at) =>
        `<< /Title (${escaped(title)}) /Parent ${firstEntry - 1} 0 R /Dest [${firstPage + 2 * page} 0 R /Fit] ` +
        `${at + 1 < outline.length ? `/Next ${firstEntry + at + 1} 0 R` : ''} >>`,
    ),
  ];
  return assemblePdf(objects);
}

/** Lines of text one below the other, 12 points high with a pitch of 14, from the top left. */
export function linesAt(
  x: number,
  y: number,
  lines: readonly string[],
  style: Partial<DrawnText> = {},
): DrawnText[] {
  return lines.map((text, at) => ({ text, x, y: y + 14 * at, size: 12, ...style }));
}

/** Any objects as a file with its table of cross references. */
export function assemblePdf(objects: readonly PdfObject[], trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xE2\xE3\xCF\xD3\n', 'latin1')];
  const offsets: number[] = [];
  let size = (pieces[0] as Buffer).length;
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    size += piece.length;
  };
  for (const [at, object] of objects.entries()) {
    offsets.push(size);
    const [before, bytes] =
      typeof object === 'string'
        ? [object, undefined]
        : [`<< ${object.entries} /Length ${object.bytes.byteLength} >>\nstream\n`, object.bytes];
    add(Buffer.from(`${at + 1} 0 obj\n${before}`, 'latin1'));
    if (bytes) add(Buffer.concat([bytes, Buffer.from('\nendstream')]));
    add(Buffer.from('\nendobj\n'));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\n` +
        `startxref\n${size}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

function shown({ text, x, y, size = 12, font = 'regular' }: DrawnText): string {
  return `BT /${font} ${size} Tf ${x} ${792 - y} Td (${escaped(text)}) Tj ET`;
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, (character) => `\\${character}`);
}
