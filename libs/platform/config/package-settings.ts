import type { Ecosystem } from '#contracts';

/** A registry that the operator configured; it may be on any network. */
export interface RegistryAddress {
  readonly url: string;
  /** Sent only to the origin of the URL. Must not be shown or logged. */
  readonly token?: string | undefined;
  readonly username?: string | undefined;
}

/** A registry whose packages belong to the configured tenants. */
export interface PrivateRegistry extends RegistryAddress {
  readonly ecosystem: Ecosystem;
  /** Names; `*` matches any text: `@acme/*`. */
  readonly names: readonly string[];
  readonly tenants: readonly string[];
}

export interface PackageSettings {
  /** The registry of public packages, by ecosystem; an ecosystem without one has no packages. */
  readonly registries: Readonly<Partial<Record<Ecosystem, RegistryAddress>>>;
  readonly privateRegistries: readonly PrivateRegistry[];
  /** Maximum bytes of an archive. */
  readonly maxBytes: number;
  readonly maxUnpackedBytes: number;
  readonly maxFiles: number;
  readonly timeoutMs: number;
}

/** The variables that {@link packageSettings} reads. */
export interface PackageValues {
  readonly NPM_REGISTRY_URL: string;
  readonly PYPI_URL: string;
  readonly CARGO_INDEX_URL: string | undefined;
  readonly MAVEN_REPOSITORY_URL: string | undefined;
  readonly GO_PROXY_URL: string | undefined;
  readonly PRIVATE_REGISTRIES: readonly PrivateRegistry[] | undefined;
  readonly PACKAGE_MAX_BYTES: number;
  readonly PACKAGE_MAX_UNPACKED_BYTES: number;
  readonly PACKAGE_MAX_FILES: number;
  readonly REGISTRY_TIMEOUT_SECONDS: number;
}

export function packageSettings(values: PackageValues): PackageSettings {
  const urls: Readonly<Record<Ecosystem, string | undefined>> = {
    npm: values.NPM_REGISTRY_URL,
    pypi: values.PYPI_URL,
    cargo: values.CARGO_INDEX_URL,
    maven: values.MAVEN_REPOSITORY_URL,
    go: values.GO_PROXY_URL,
  };
  const given = Object.entries(urls).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    registries: Object.fromEntries(given.map(([ecosystem, url]) => [ecosystem, { url }])),
    privateRegistries: values.PRIVATE_REGISTRIES ?? [],
    maxBytes: values.PACKAGE_MAX_BYTES,
    maxUnpackedBytes: values.PACKAGE_MAX_UNPACKED_BYTES,
    maxFiles: values.PACKAGE_MAX_FILES,
    timeoutMs: values.REGISTRY_TIMEOUT_SECONDS * 1_000,
  };
}
