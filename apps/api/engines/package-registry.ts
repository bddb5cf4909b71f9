import type { PackageRegistry } from '#ingest';
import type { Config } from '#platform';

/**
 * The configured registries. What asks them is loaded with the first question: most starts never
 * have one.
 */
export function configuredRegistries({
  packages,
  network,
}: Pick<Config, 'packages' | 'network'>): PackageRegistry {
  let loading: Promise<PackageRegistry> | undefined;
  const load = async (): Promise<PackageRegistry> => {
    const { PackageRegistries } = await import('#ingest/packages/package-registries');
    return new PackageRegistries(packages, network);
  };
  return {
    resolve: async (query, signal) => {
      loading ??= load();
      return (await loading).resolve(query, signal);
    },
  };
}
