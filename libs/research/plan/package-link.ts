import type { ManifestEcosystem } from '../manifests/manifest.types.js';

/** One repository requires a package that another provides. */
export interface PackageLink {
  /** Repository with the requirement. */
  readonly from: string;
  /** Repository with the package. */
  readonly to: string;
  /** Name of the package. */
  readonly provided: string;
  readonly ecosystem: ManifestEcosystem;
}
