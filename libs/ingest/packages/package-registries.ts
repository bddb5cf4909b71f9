import { type Ecosystem, ECOSYSTEMS, packageFailure, packageUrl, PUBLIC_TENANT } from '#contracts';
import type { Config, PackageSettings, PrivateRegistry } from '#platform';

import { describeCargo } from './cargo-index.js';
import { describeGo } from './go-proxy.js';
import { describeMaven } from './maven-repository.js';
import { describeNpm } from './npm-registry.js';
import type { PackageQuery, PackageRegistry, ResolvedPackage } from './package-registry.port.js';
import { describePypi, normalizedName } from './pypi-index.js';
import type { RegistryAdapter } from './registry-adapter.js';
import { RegistryDocuments, type RegistryEndpoint } from './registry-documents.js';
import { REGISTRY_NAMES } from './registry-failure.js';

/** Adapters by ecosystem, the only place that assigns them. */
const ADAPTERS: Readonly<Record<Ecosystem, RegistryAdapter>> = {
  npm: describeNpm,
  pypi: describePypi,
  cargo: describeCargo,
  maven: describeMaven,
  go: describeGo,
};

/**
 * The registries that the operator configured. A name of a tenant's private registry is looked up
 * only there.
 */
export class PackageRegistries implements PackageRegistry {
  private readonly documents: RegistryDocuments;

  constructor(
    private readonly settings: PackageSettings,
    network: Pick<Config['network'], 'allowPrivateNetworks'>,
  ) {
    this.documents = new RegistryDocuments({ network, timeoutMs: settings.timeoutMs });
  }

  async resolve(query: PackageQuery, signal: AbortSignal): Promise<ResolvedPackage> {
    const { ecosystem, tenantId } = query;
    const name = query.name.trim();
    const version = query.version?.trim();
    const subject = packageUrl({ ecosystem, name, version: version ?? 'latest' });
    const registry = this.endpoint({ ecosystem, tenantId, name }, subject);
    const reader = this.documents.reader(registry, subject, signal);
    const release = await ADAPTERS[ecosystem](reader, { name, version, subject });
    const ownerTenantId = registry.isPrivate ? tenantId : PUBLIC_TENANT;
    return { ecosystem, ownerTenantId, ...release };
  }

  /**
   * Returns the registry of a name. @throws StageFailure if the operator configured none for it.
   */
  endpoint(
    { ecosystem, tenantId, name }: Pick<PackageQuery, 'ecosystem' | 'tenantId' | 'name'>,
    subject: string,
  ): RegistryEndpoint & { readonly isPrivate: boolean } {
    const at = this.settings.privateRegistries.findIndex(
      (each) =>
        each.ecosystem === ecosystem && each.tenants.includes(tenantId) && hasName(each, name),
    );
    const own = this.settings.privateRegistries[at];
    if (own !== undefined) return { ...own, key: `private-${at}`, isPrivate: true };
    const shared = this.settings.registries[ecosystem];
    if (shared !== undefined) return { ...shared, ecosystem, key: ecosystem, isPrivate: false };
    const others = this.configuredFor(tenantId).join(', ') || 'none';
    const missing = `No ${REGISTRY_NAMES[ecosystem]} is configured (${VARIABLE_NAMES[ecosystem]})`;
    const message = `${missing}; configured ecosystems: ${others}`;
    throw packageFailure('registry_not_configured', message, false, { url: subject });
  }

  /** Returns the ecosystems with a registry that the tenant may look names up in. */
  private configuredFor(tenantId: string): Ecosystem[] {
    const { registries, privateRegistries } = this.settings;
    return ECOSYSTEMS.filter(
      (ecosystem) =>
        registries[ecosystem] !== undefined ||
        privateRegistries.some(
          (each) => each.ecosystem === ecosystem && each.tenants.includes(tenantId),
        ),
    );
  }
}

const VARIABLE_NAMES: Readonly<Record<Ecosystem, string>> = {
  npm: 'NPM_REGISTRY_URL',
  pypi: 'PYPI_URL',
  cargo: 'CARGO_INDEX_URL',
  maven: 'MAVEN_REPOSITORY_URL',
  go: 'GO_PROXY_URL',
};

function hasName({ ecosystem, names }: PrivateRegistry, name: string): boolean {
  const spelled = (text: string): string =>
    ecosystem === 'pypi' ? normalizedName(text) : text.toLowerCase();
  return names.some((pattern) => matches(spelled(pattern), spelled(name)));
}

/**
 * Returns whether a name matches a pattern, in which `*` is any text. Without regular expressions;
 * the time grows with both.
 */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
