const MOST_CHARACTERS = 2_000;
/** Parameters that tell where a reader came from, not what is read. */
const NOISE = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id)$/;

/**
 * The one spelling of a page's URL: without fragment and what says where a reader came from.
 * Undefined: no page of the web.
 */
export function pageUrl(text: string, base?: string): string | undefined {
  if (text.length > MOST_CHARACTERS || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.password !== ''
  ) {
    return undefined;
  }
  url.hash = '';
  const parameters = [...url.searchParams];
  const kept = parameters.filter(([name]) => !NOISE.test(name));
  // Written once: deleting one by one spells the whole query again for each.
  if (kept.length < parameters.length) url.search = new URLSearchParams(kept).toString();
  if (url.search === '') url.search = '';
  return url.href.length > MOST_CHARACTERS ? undefined : url.href;
}

/**
 * Whether two URLs name one page: they differ by a slash or an `index.html` at the end, or by
 * parameters.
 */
export function isSamePage(a: string, b: string): boolean {
  const plain = (text: string): string => {
    const { origin, pathname } = new URL(text);
    return origin + pathname.replace(/\/(?:index\.(?:html?|php))?$/, '');
  };
  return plain(a) === plain(b);
}

/**
 * Whether two URLs are of one site, which may have its pages with and without TLS, and with and
 * without `www`.
 */
export function isSameHost(a: string, b: string): boolean {
  const host = (text: string): string => new URL(text).host.replace(/^www\./, '');
  return URL.canParse(a) && URL.canParse(b) && host(a) === host(b);
}

/** Which pages belong to a site: those below the folder of its URL. */
export function siteOf(root: string): (page: string) => boolean {
  const { pathname } = new URL(root);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  // Without an extension, the last name is a folder to whoever types it.
  const folder =
    last === '' || last.includes('.')
      ? pathname.slice(0, pathname.length - last.length)
      : `${pathname}/`;
  return (page) => {
    const url = new URL(page);
    return isSameHost(page, root) && (url.pathname.startsWith(folder) || url.pathname === pathname);
  };
}

/** A URL's path as patterns see it: `guide/install.html`. */
export function patternPath(page: string): string {
  const { pathname } = new URL(page);
  try {
    return decodeURIComponent(pathname).slice(1);
  } catch {
    return pathname.slice(1);
  }
}

/** A pattern that names the site reads as one from its root. */
export function sitePattern(pattern: string, root: string): string {
  const { origin } = new URL(root);
  return pattern.startsWith(`${origin}/`) ? pattern.slice(origin.length) : pattern;
}
