import type { RoverService } from './rover-service.js';

/** Two repositories, of which one imports the other. */
export const HARBOR_REPOS = ['harbor/client', 'harbor/transport'] as const;

/** Hosts {@link HARBOR_REPOS}: how often the client retries, and the limit of the transport. */
export function hostHarbor(host: RoverService): void {
  host.host('harbor/client', {
    'client.py':
      'from transport import connect_with_retries\n\n\ndef dock():\n    """Retries five times."""\n    return connect_with_retries(retries=5)\n',
    'pyproject.toml':
      '[project]\nname = "client"\nversion = "1.0.0"\ndependencies = ["transport>=1"]\n',
  });
  host.host('harbor/transport', {
    'transport/__init__.py':
      'RETRY_LIMIT = 8\n\n\ndef connect_with_retries(retries=3):\n    """Connects; the transport sets the limit of retries."""\n    return min(retries, RETRY_LIMIT)\n',
    'pyproject.toml': '[project]\nname = "transport"\nversion = "1.0.0"\n',
  });
}
