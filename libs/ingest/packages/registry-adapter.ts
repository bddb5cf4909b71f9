import { packageFailure, type StageFailure } from '#contracts';

import type { ResolvedPackage } from './package-registry.port.js';
import type { RegistryReader } from './registry-documents.js';

/** A release as its registry alone describes it. */
export type DescribedRelease = Omit<ResolvedPackage, 'ecosystem' | 'ownerTenantId'>;

/** Request for a release, with its name in failures. */
export interface ReleaseQuery {
  readonly name: string;
  readonly version?: string | undefined;
  readonly subject: string;
}

/** Reads a registry's description of a release. */
export type RegistryAdapter = (
  reader: RegistryReader,
  query: ReleaseQuery,
) => Promise<DescribedRelease>;

const EXACT = 'give an exact version, or none for the latest';

/**
 * Returns the failure for an invalid version. @param isRange whether the ecosystem knows it as a
 * range of versions.
 */
export function refusedVersion(
  { name, version = '', subject }: ReleaseQuery,
  isRange: boolean,
  example: string,
): StageFailure {
  const what = isRange
    ? 'is a range of versions'
    : 'is no exact version; tags and branches are not taken';
  const message = `The version ${shown(version)} of ${name} ${what}: ${EXACT}, such as ${example}`;
  return packageFailure('package_refused', message, false, { url: subject });
}

export function refusedName({ name, subject }: ReleaseQuery, takes: string): StageFailure {
  return packageFailure(
    'package_refused',
    `${shown(name)} is no name of a package: it takes ${takes}`,
    false,
    {
      url: subject,
    },
  );
}

export function missingPackage({ name, subject }: ReleaseQuery): StageFailure {
  return packageFailure('package_not_found', `There is no package ${name}`, false, {
    url: subject,
  });
}

export function missingVersion({ name, version = '', subject }: ReleaseQuery): StageFailure {
  const message =
    version === ''
      ? `The package ${name} has no version`
      : `The package ${name} has no version ${shown(version)}`;
  return packageFailure('package_version_not_found', message, false, { url: subject });
}

export function unreadable(
  { name, subject }: Pick<ReleaseQuery, 'name' | 'subject'>,
  what: string,
): StageFailure {
  return packageFailure(
    'package_unreadable',
    `What the registry says of ${name} cannot be read: ${what}`,
    false,
    {
      url: subject,
    },
  );
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** Longest text about a package that is stored. */
const LONGEST = 2_000;

/** Returns a text of a registry's document; null for an empty text and for anything else. */
export function textOf(value: unknown, longest = LONGEST): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim().slice(0, longest);
  return text === '' ? null : text;
}

/** Returns an `http` or `https` link; null for anything else. */
export function linkOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a document as JSON. @throws StageFailure for invalid JSON. */
export function jsonOf(bytes: Uint8Array, query: ReleaseQuery): JsonObject {
  try {
    return objectOf(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    throw unreadable(query, 'it is no JSON');
  }
}

export function bytesOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/**
 * Returns a URL in a document, relative to the document's address. @throws StageFailure for an
 * invalid URL.
 */
export function urlOf(value: unknown, base: string, query: ReleaseQuery): string {
  const text = textOf(value) ?? '';
  if (text === '' || !URL.canParse(text, base)) throw unreadable(query, 'it names no archive');
  return new URL(text, base).href;
}
