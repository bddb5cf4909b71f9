import { validationFailed } from '#contracts';
import type { ChatBody, PackageMention } from '#contracts/http/index';
import type { Config } from '#platform';

/**
 * The service's documents are looked in alone, and where this service has them.
 * @throws FootnoteError `validation_failed`; nothing is charged then.
 */
export function requireUsableScope(
  { scope }: Pick<ChatBody, 'scope'>,
  mentions: readonly PackageMention[] | undefined,
  { serviceDocs }: Pick<Config, 'serviceDocs'>,
): void {
  if (scope !== 'service_docs') return;
  if (!serviceDocs)
    throw refused(
      'scope',
      'cannot be service_docs: this service does not index its documentation (SERVICE_DOCS)',
    );
  if (mentions && mentions.length > 0)
    throw refused('package_mentions', 'cannot be combined with scope service_docs');
}

function refused(field: string, message: string) {
  return validationFailed([{ field, message }]);
}
