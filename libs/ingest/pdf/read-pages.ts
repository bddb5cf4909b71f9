import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';

import type { OutlineEntry, PageText, TextRun } from './layout/page.js';

interface FontStyle {
  readonly bold: boolean;
  readonly mono: boolean;
}

const BOLD =
  /bold|black|heavy|semib|demi|cmb|cmssbx|sfbx|ecbx|medi(?:um)?(?:cond|ital)?$|[-,]b(?:old)?$/i;
const MONO =
  /mono|courier|cmtt|cmsltt|sftt|ectt|typewriter|consol|menlo|fixed|inconsolata|andale|lucida ?sans ?typ|[a-z]code(?:-|$)/i;

/** Reads pages one after the other, and remembers their fonts. */
export class PageReader {
  private readonly fonts = new Map<string, FontStyle>();

  constructor(private readonly document: PDFDocumentProxy) {}

  /**
   * Returns the text of a page, counted from 1, as its content draws it. Rotated text is left out.
   */
  async read(number: number): Promise<PageText> {
    const page = await this.document.getPage(number);
    try {
      const { items } = await page.getTextContent({
        includeMarkedContent: false,
        disableNormalization: true,
      });
      const drawn = items.filter((item) => 'str' in item);
      await this.meetFonts(
        page,
        new Set(drawn.filter(({ str }) => str.trim() !== '').map(({ fontName }) => fontName)),
      );
      const view = page.getViewport({ scale: 1 });
      const runs: TextRun[] = [];
      let spaced = false;
      for (const { str, transform, width, fontName } of drawn) {
        if (str.trim() === '') {
          spaced = true;
          continue;
        }
        const place = placeOf(transform as number[], view.transform, width);
        const style = this.fonts.get(fontName) ?? { bold: false, mono: false };
        if (place) runs.push({ text: str, ...place, ...style, spaced });
        spaced = false;
      }
      return { width: view.width, height: view.height, runs };
    } finally {
      page.cleanup();
    }
  }

  /**
   * Reads the names of fonts. Only a page's drawing has them; it is read for pages with new fonts.
   */
  private async meetFonts(page: PDFPageProxy, names: ReadonlySet<string>): Promise<void> {
    const fresh = [...names].filter((name) => !this.fonts.has(name));
    if (fresh.length === 0) return;
    const drawing = await page.getOperatorList().catch(() => null);
    for (const name of fresh) {
      const font =
        drawing && page.commonObjs.has(name)
          ? (page.commonObjs.get(name) as { name?: string } | null)
          : null;
      const title = (font?.name ?? '').replace(/^[A-Z]{6}\+/, '');
      this.fonts.set(name, { bold: BOLD.test(title), mono: MONO.test(title) });
    }
  }
}

function placeOf(
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[],
  [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0]: readonly number[],
  width: number,
): Pick<TextRun, 'x' | 'right' | 'y' | 'size'> | null {
  const along = { x: va * a + vc * b, y: vb * a + vd * b };
  const up = { x: va * c + vc * d, y: vb * c + vd * d };
  const size = Math.hypot(up.x, up.y);
  const isUpright = along.x > 0 && Math.abs(along.y) <= 0.1 * along.x && up.y < 0;
  if (!isUpright || !Number.isFinite(size) || size === 0) return null;
  const x = va * e + vc * f + ve;
  const y = vb * e + vd * f + vf;
  return { x, right: x + Math.abs(width), y, size: Math.round(size * 10) / 10 };
}

/** Most entries of an outline that are read; books have a few thousand. */
const MOST_ENTRIES = 5_000;

/** Returns the document's outline with its target pages; broken entries are left out. */
export async function outlineOf(document: PDFDocumentProxy): Promise<readonly OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  type Node = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];
  const open = ((await document.getOutline().catch(() => null)) ?? []).map((node: Node) => ({
    node,
    level: 1,
  }));
  for (let next = open.shift(); next && entries.length < MOST_ENTRIES; next = open.shift()) {
    const { node, level } = next;
    const page = await pageOf(document, node.dest).catch(() => null);
    if (page !== null && node.title.trim() !== '') entries.push({ title: node.title, level, page });
    open.unshift(...(node.items as Node[]).map((item) => ({ node: item, level: level + 1 })));
  }
  return entries;
}

async function pageOf(
  document: PDFDocumentProxy,
  target: string | unknown[] | null,
): Promise<number | null> {
  const destination = typeof target === 'string' ? await document.getDestination(target) : target;
  const page: unknown = destination?.[0];
  if (typeof page === 'number') return page;
  if (typeof page !== 'object' || page === null) return null;
  return document.getPageIndex(page as Parameters<PDFDocumentProxy['getPageIndex']>[0]);
}
