import type { PackageReleaseView } from '#contracts/http/index';

import { noticesOf } from './package-content.js';
import type { ProvidedPackage } from './package-provider.js';

/** The release that an answer is about. */
export interface ProvidedView {
  package: PackageReleaseView;
  /** True if it was indexed already. */
  cached: boolean;
  /** Notices of its registry. */
  warnings: string[];
}

/** Returns what an answer shows of the release that it is about. */
export function providedView({ release, resolved, cached }: ProvidedPackage): ProvidedView {
  const { ecosystem, name, version } = release;
  return {
    package: { ecosystem, name, version },
    cached,
    warnings: resolved ? noticesOf(resolved) : [],
  };
}
