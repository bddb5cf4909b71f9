import { IntersectionType, OmitType } from '@nestjs/swagger';

import {
  DefinitionsQuery,
  DefinitionsView,
  ReferencesQuery,
  ReferencesView,
  SymbolsQuery,
} from './code-navigation.dto.js';
import { PackageReleaseFields, ProvidedPackageFields } from './package.dto.js';

/** Names of definitions in one release of a package. */
export class PackageSymbolsQuery extends IntersectionType(
  OmitType(SymbolsQuery, ['source_ids'] as const),
  PackageReleaseFields,
) {}

/** A name, or the place of an identifier in a file of one release of a package. */
export class PackageDefinitionsQuery extends IntersectionType(
  OmitType(DefinitionsQuery, ['source_ids', 'source_id'] as const),
  PackageReleaseFields,
) {}

/** The same, for references. */
export class PackageReferencesQuery extends IntersectionType(
  OmitType(ReferencesQuery, ['source_ids', 'source_id'] as const),
  PackageReleaseFields,
) {}

/** Definitions in one release of a package. */
export class PackageDefinitionsView extends IntersectionType(
  DefinitionsView,
  ProvidedPackageFields,
) {}

/** References in one release of a package. */
export class PackageReferencesView extends IntersectionType(
  ReferencesView,
  ProvidedPackageFields,
) {}
