const MOST_CHARACTERS = 2_000;
/** Parameters that name the origin of a reader, not the content. */
const NOISE = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id)$/;

/**
 * Returns the canonical spelling of a page's URL: without fragment and without parameters for the
 * origin of a reader. Undefined: not a page of the web.
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
  // Written once: deleting parameters one by one rewrites the whole query each time.
  if (kept.length < parameters.length) url.search = new URLSearchParams(kept).toString();
  if (url.search === '') url.search = '';
  return url.href.length > MOST_CHARACTERS ? undefined : url.href;
}

/**
 * Returns whether two URLs name one page: they differ by a slash or an `index.html` at the end, or
 * by parameters.
 */
export function isSamePage(a: string, b: string): boolean {
  const plain = (text: string): string => {
    const { origin, pathname } = new URL(text);
    return origin + pathname.replace(/\/(?:index\.(?:html?|php))?$/, '');
  };
  return plain(a) === plain(b);
}

/**
 * Returns whether two URLs are of one site. A site may have its pages with and without TLS, and
 * with and without `www`.
 */
export function isSameHost(a: string, b: string): boolean {
  const host = (text: string): string => new URL(text).host.replace(/^www\./, '');
  return URL.canParse(a) && URL.canParse(b) && host(a) === host(b);
}

/** Returns the test for the pages of a site: those below the folder of its URL. */
export function siteOf(root: string): (page: string) => boolean {
  const { pathname } = new URL(root);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  // A last name without an extension is meant as a folder.
  const folder =
    last === '' || last.includes('.')
      ? pathname.slice(0, pathname.length - last.length)
      : `${pathname}/`;
  return (page) => {
    const url = new URL(page);
    return isSameHost(page, root) && (url.pathname.startsWith(folder) || url.pathname === pathname);
  };
}

/** Returns a URL's path as patterns match it: `guide/install.html`. */
export function patternPath(page: string): string {
  const { pathname } = new URL(page);
  try {
    return decodeURIComponent(pathname).slice(1);
  } catch {
    return pathname.slice(1);
  }
}

/** Returns a pattern that names the site as one from its root. */
export function sitePattern(pattern: string, root: string): string {
  const { origin } = new URL(root);
  return pattern.startsWith(`${origin}/`) ? pattern.slice(origin.length) : pattern;
}
