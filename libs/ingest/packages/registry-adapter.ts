import { packageFailure, type StageFailure } from '#contracts';

import type { ResolvedPackage } from './package-registry.port.js';
import type { RegistryReader } from './registry-documents.js';

/** A release as its registry alone describes it. */
export type DescribedRelease = Omit<ResolvedPackage, 'ecosystem' | 'ownerTenantId'>;

/** Which release is asked for, and what failures call it by. */
export interface ReleaseQuery {
  readonly name: string;
  readonly version?: string | undefined;
  readonly subject: string;
}

/** Reads what one kind of registry says of a release. */
export type RegistryAdapter = (
  reader: RegistryReader,
  query: ReleaseQuery,
) => Promise<DescribedRelease>;

const EXACT = 'give an exact version, or none for the latest';

/** A version that is none. @param isRange whether the ecosystem knows it as a range of versions. */
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

/** Longest text about a package that is kept. */
const LONGEST = 2_000;

/** A text of a registry's document; null for anything else, and for none. */
export function textOf(value: unknown, longest = LONGEST): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim().slice(0, longest);
  return text === '' ? null : text;
}

/** A link that people may follow. */
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

/** A document as JSON. @throws StageFailure where it is none. */
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
 * A URL that a document names, relative to where it was read. @throws StageFailure for one that is
 * none.
 */
export function urlOf(value: unknown, base: string, query: ReleaseQuery): string {
  const text = textOf(value) ?? '';
  if (text === '' || !URL.canParse(text, base)) throw unreadable(query, 'it names no archive');
  return new URL(text, base).href;
}
