import { deflateSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';

import { assemblePdf, type DrawnText, linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { plantedSecrets } from '#test/support/planted-secrets';

import { PdfParser } from './pdf-parser.js';

const MIB = 1024 * 1024;
const logger = { warn: () => undefined };

function parserOf(limits: Partial<PdfParser['options']['limits']> = {}, processes = 2): PdfParser {
  return new PdfParser({
    limits: { maxPages: 2_000, maxSeconds: 60, maxMemory: 512 * MIB, ...limits },
    processes,
    logger,
  });
}

function parse(bytes: Buffer, parser = parserOf(), signal = AbortSignal.timeout(60_000)) {
  return parser.parse('guide.pdf', bytes, 'guide.pdf', { tenantId: 't1', signal });
}

async function textOf(pages: readonly (readonly DrawnText[])[], options = {}): Promise<string> {
  return (await parse(writePdf(pages, options))).document.text.trim();
}

const PAGE_TREE = '<< /Type /Catalog /Pages 2 0 R >>';
const ONE_PAGE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';
const LEAF =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>';

describe('the text of a PDF', () => {
  it('is Markdown whose places are its pages', async () => {
    const pages = [
      [
        { text: 'Keeping marmosets', x: 72, y: 90, size: 24, font: 'bold' as const },
        ...linesAt(72, 140, [
          'Marmosets are small monkeys that live in',
          'the canopy and feed on gum.',
        ]),
      ],
      [],
      [...linesAt(72, 140, ['They sleep in groups, and are carried by', 'their fathers.'])],
    ];
    const { document, pages: count, blankPages, redacted } = await parse(writePdf(pages));
    expect({ count, blankPages, redacted, ...document, text: document.text.split('\n') }).toEqual({
      count: 3,
      blankPages: 1,
      redacted: {},
      path: 'guide.pdf',
      kind: 'page',
      language: 'pdf',
      text: [
        '# Keeping marmosets',
        '',
        'Marmosets are small monkeys that live in the canopy and feed on gum.',
        '',
        'They sleep in groups, and are carried by their fathers.',
        '',
      ],
      marks: [
        { row: 0, fragment: '#page=1', breaks: true },
        { row: 4, fragment: '#page=3', breaks: true },
      ],
    });
  });

  it('has markers in the place of secrets when it leaves its process', async () => {
    const token = plantedSecrets(1, 300).find(
      ({ kind, lines }) => kind === 'github_token' && !lines.includes('\n'),
    );
    if (!token) throw new Error('no token was planted');
    const { document, redacted } = await parse(
      writePdf([linesAt(72, 140, ['Sign in with', token.lines])]),
    );
    expect(document.text).not.toContain(token.secret);
    expect(document.text).toContain('[redacted:github_token]');
    expect(redacted).toEqual({ github_token: 1 });
  });

  it('follows columns, below what runs across them', async () => {
    const words = (side: string) =>
      Array.from({ length: 12 }, (_, at) => `${side} line ${at} that fills its column well`);
    const drawn = [
      { text: 'A study of two columns', x: 180, y: 80, size: 20 },
      ...words('left').flatMap((text, at) => [
        { text, x: 72, y: 130 + 14 * at, size: 10 },
        { text: text.replace('left', 'right'), x: 320, y: 130 + 14 * at, size: 10 },
      ]),
    ];
    const [title, , text] = (await textOf([drawn])).split('\n');
    expect(title).toBe('# A study of two columns');
    expect(text).toBe([...words('left'), ...words('right')].join(' '));
  });

  it('has no running headers and page numbers', async () => {
    const pages = Array.from({ length: 4 }, (_, page) => [
      { text: page % 2 ? `${page + 1}` : 'Footnote manual', x: 72, y: 40, size: 9 },
      { text: page % 2 ? 'Footnote manual' : `${page + 1}`, x: 480, y: 40, size: 9 },
      { text: `Text of sheet ${page + 1} is here.`, x: 72, y: 200 },
      { text: `Page ${page + 1} of 4`, x: 280, y: 760, size: 9 },
    ]);
    const text = await textOf(pages);
    expect(text.split('\n').filter(Boolean)).toEqual(
      [1, 2, 3, 4].map((page) => `Text of sheet ${page} is here.`),
    );
  });

  it('has words whole that a line cut, and those with a hyphen as they are', async () => {
    const lines = [
      'A well-known reader finds the docu-',
      'mentation that is well-',
      'known, and Franco-',
      'British things.',
    ];
    expect(await textOf([linesAt(72, 100, lines)])).toBe(
      'A well-known reader finds the documentation that is well-known, and Franco-British things.',
    );
  });

  it('shows tables and code as such', async () => {
    const cells = [
      ['Option', 'Default', 'Meaning'],
      ['--jobs', '4', 'how many at once'],
      ['--quiet', 'off', 'says less'],
      ['--root', '/srv', 'where it looks'],
    ];
    const table = cells.flatMap((row, at) =>
      row.map((text, column) => ({ text, x: 72 + 120 * column, y: 100 + 16 * at })),
    );
    const code = linesAt(72, 250, ['def run(jobs):', '    return jobs'], {
      font: 'mono',
      size: 10,
    });
    expect(
      await textOf([[...table, ...linesAt(72, 200, ['It is called from here:']), ...code]]),
    ).toBe(
      [
        '| Option | Default | Meaning |',
        '| --- | --- | --- |',
        '| --jobs | 4 | how many at once |',
        '| --quiet | off | says less |',
        '| --root | /srv | where it looks |',
        '',
        'It is called from here:',
        '',
        '```',
        'def run(jobs):',
        '    return jobs',
        '```',
      ].join('\n'),
    );
  });

  it('has the headings that the outline names, at their levels', async () => {
    const page = (title: string) => [
      { text: title, x: 72, y: 100, size: 12 },
      ...linesAt(72, 130, ['Body text follows here, and it goes on and on.']),
    ];
    const titles = ['Install', 'Use', 'Mend'];
    const text = await textOf(titles.map(page), {
      outline: titles.map((title, at) => ({ title, page: at })),
    });
    expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '# Install',
      '# Use',
      '# Mend',
    ]);
  });

  it('never runs a script of the file', async () => {
    const action = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\); while\\(true\\){}) >>';
    expect(await textOf([linesAt(72, 100, ['Plain words.'])], { catalogue: action })).toBe(
      'Plain words.',
    );
  });
});

describe('a PDF that cannot be read', () => {
  const refused = (bytes: Buffer, parser?: PdfParser) => expect(parse(bytes, parser)).rejects;

  it('is said to be encrypted when it needs a password', async () => {
    const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<41> <41>]`;
    await refused(
      assemblePdf([PAGE_TREE, ONE_PAGE, LEAF, { entries: '', bytes: Buffer.from('') }], encrypt),
    ).toMatchObject({
      name: 'StageFailure',
      retryable: false,
      message: 'The PDF guide.pdf is encrypted and cannot be opened without its password',
    });
  });

  it('is said to be scanned when it has pictures alone', async () => {
    const image = {
      entries:
        '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
      bytes: Buffer.from([0]),
    };
    const page = LEAF.replace('/Resources << >>', '/Resources << /XObject << /I 5 0 R >> >>');
    const draw = { entries: '', bytes: Buffer.from('q 612 0 0 792 0 0 cm /I Do Q') };
    await refused(assemblePdf([PAGE_TREE, ONE_PAGE, page, draw, image])).toMatchObject({
      message:
        'The PDF guide.pdf has no text on its 1 page: it is scanned, or has drawings alone; recognize its text (OCR) first',
    });
  });

  it('is said to be incomplete when its end is missing', async () => {
    const whole = writePdf([linesAt(72, 100, ['Some words.'])]);
    await refused(whole.subarray(0, whole.length - 20)).toMatchObject({
      message: 'The PDF guide.pdf is incomplete: its end is missing',
    });
  });

  it.each([
    ['nothing that a PDF has', Buffer.from('%PDF-1.7\nnothing\n%%EOF')],
    [
      'a tree of pages that leads back to itself',
      assemblePdf([PAGE_TREE, '<< /Type /Pages /Count 1 /Kids [2 0 R] >>']),
    ],
    ['no catalogue', assemblePdf(['<< >>'])],
  ])('is said to be broken when it has %s', async (_, bytes) => {
    await refused(bytes).toMatchObject({
      message: 'The PDF guide.pdf is broken: it cannot be read as a PDF',
    });
  });

  it('is said to have too many pages', async () => {
    const bytes = writePdf(['One.', 'Two.', 'Three.'].map((text) => linesAt(72, 100, [text])));
    await refused(bytes, parserOf({ maxPages: 2 })).toMatchObject({
      message: 'The PDF guide.pdf has 3 pages, more than 2 (PDF_MAX_PAGES)',
    });
  });

  it('has no more pages than are there, whatever it claims', async () => {
    const bytes = assemblePdf([PAGE_TREE, '<< /Type /Pages /Count 100000 /Kids [3 0 R] >>', LEAF]);
    await refused(bytes).toThrow('has no text on its 1 page');
  });

  it('is ended when a stream unfolds into all memory', async () => {
    const bomb = deflateSync(Buffer.alloc(600 * MIB, ' '));
    const bytes = assemblePdf([
      PAGE_TREE,
      ONE_PAGE,
      LEAF,
      { entries: '/Filter /FlateDecode', bytes: bomb },
    ]);
    const small = parserOf({ maxMemory: 128 * MIB });
    await refused(bytes, small).toMatchObject({
      message: 'The PDF guide.pdf takes more memory to read than 128 MiB (PDF_MAX_MEMORY)',
    });
    expect(
      (await parse(writePdf([linesAt(72, 100, ['Some words.'])]), small)).document.text.trim(),
    ).toBe('Some words.');
  });

  it('is ended when its time is up', async () => {
    const endless = deflateSync(Buffer.from('BT /F 1 Tf (x) Tj ET '.repeat(2_000_000)));
    const bytes = assemblePdf([
      PAGE_TREE,
      ONE_PAGE,
      LEAF,
      { entries: '/Filter /FlateDecode', bytes: endless },
    ]);
    await refused(bytes, parserOf({ maxSeconds: 1 })).toMatchObject({
      message: 'The PDF guide.pdf took longer than 1 s to read (PDF_MAX_SECONDS)',
    });
  });

  it('is stopped at once when its job is, and the next one has its turn', async () => {
    const endless = deflateSync(Buffer.from('BT /F 1 Tf (x) Tj ET '.repeat(2_000_000)));
    const bytes = assemblePdf([
      PAGE_TREE,
      ONE_PAGE,
      LEAF,
      { entries: '/Filter /FlateDecode', bytes: endless },
    ]);
    const parser = parserOf({}, 1);
    const abort = new AbortController();
    const first = parse(bytes, parser, abort.signal);
    const waiting = new AbortController();
    const second = parse(bytes, parser, waiting.signal);
    const third = parse(writePdf([linesAt(72, 100, ['Some words.'])]), parser);
    setTimeout(() => waiting.abort(new Error('cancelled while it waits')), 300);
    setTimeout(() => abort.abort(new Error('cancelled')), 600);
    await expect(second).rejects.toThrow('cancelled while it waits');
    await expect(first).rejects.toThrow('cancelled');
    expect((await third).document.text.trim()).toBe('Some words.');
  });
});
