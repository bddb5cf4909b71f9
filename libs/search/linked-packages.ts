import type { Position } from '#contracts';

/** The packages that a tenant links, and the position of this state. */
export interface LinkedPackages {
  readonly packages: ReadonlySet<string>;
  /** The last event that changed it; null while the tenant never linked any. */
  readonly at: Position | null;
}

/** Links of a tenant that never linked a package. */
export const NO_LINKS: LinkedPackages = Object.freeze({ packages: new Set<string>(), at: null });
