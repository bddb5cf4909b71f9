import { classesOf, type HtmlElement, oncePerElement } from './html-tree.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Nothing in these is text that a reader reads. */
const DROPPED_TAGS =
  words(`script style noscript template svg math canvas iframe object embed video audio map head nav
  footer button input select textarea datalist menu dialog noembed noframes applet`);

const DROPPED_ROLES = words(
  'navigation search banner contentinfo menu menubar toolbar dialog alertdialog tablist',
);

/** Classes and ids by which documentation generators name the elements around the content. */
const NOISE =
  words(`navbar nav-bar navigation sidebar side-bar sphinxsidebar toc table-of-contents tableofcontents
  breadcrumb breadcrumbs pagination pagination-nav prev-next prevnext related related-pages footer page-footer site-footer
  site-header navheader navfooter skip-link skiplink skip-to-content sr-only visually-hidden screen-reader-text screenreader
  copybtn copy-button clipboard-copy linenos linenumber linenumbers line-numbers lineno gutter
  headerlink hash-link header-anchor anchor-link anchorjs-link viewcode-link viewcode-back edit-page edit-this-page
  edit-on-github theme-edit-this-page last-updated theme-doc-toc-mobile theme-doc-toc-desktop theme-doc-footer
  theme-doc-breadcrumbs searchbox search-form md-sidebar md-header md-footer md-source-file md-content__button
  rst-footer-buttons wy-nav-side wy-nav-top wy-breadcrumbs mobile-header nosearch nosearchresults cookie-banner
  cookie-consent topnav top-nav bottomnav subnav subnavlist skipnav altversions picker toc-wrapper localtoc globaltoc
  on-this-page page-toc article-toc pager ad ads advertisement share social feedback was-this-helpful`);

/** Classes of an `aside` that is part of the text. */
const ADMONITION =
  /^(?:.*-)?(?:note|tip|hint|warning|caution|danger|important|info|admonition|aside|callout|alert)s?$/;

const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Returns whether an element separates a remark from the text. */
export const isRemark = oncePerElement((element) =>
  classesOf(element).some((word) => ADMONITION.test(word)),
);

/**
 * Returns whether an element is never content, wherever it is. A panel of tabs is content, although
 * a reader sees one tab at a time.
 */
export function isDropped(element: HtmlElement): boolean {
  const { name, attributes } = element;
  if (DROPPED_TAGS.has(name)) return true;
  const role = attributes['role']?.trim().toLowerCase() ?? '';
  if (DROPPED_ROLES.has(role)) return true;
  if (attributes['hidden'] !== undefined && role !== 'tabpanel') return true;
  if (attributes['style'] !== undefined && HIDDEN_STYLE.test(attributes['style'])) return true;
  return name === 'aside' && !isRemark(element);
}

/**
 * Returns whether an element's names place it around the content. The caller checks how much of the
 * page it has.
 */
export function isNamedNoise(element: HtmlElement): boolean {
  const { id } = element.attributes;
  return (
    (id !== undefined && NOISE.has(id.toLowerCase())) ||
    classesOf(element).some((word) => NOISE.has(word))
  );
}

/** Characters of the sign next to a heading that links to it. */
const SIGN = /[\s#¶§🔗\u{e000}-\u{f8ff}]/u;

/**
 * Returns the text without signs at its end. Reads from the end: a pattern anchored only at the end
 * would start at every sign of a text.
 */
export function withoutSign(text: string): string {
  let end = text.length;
  while (end > 0) {
    const start = end > 1 && isLowSurrogate(text.charCodeAt(end - 1)) ? end - 2 : end - 1;
    if (!SIGN.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

/** Returns whether the text of a link is only a sign. */
export function isSign(text: string): boolean {
  return withoutSign(text) === '';
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
