import { eventDefinition, UNDELIVERED_TYPES, validationFailed } from '#contracts';
import { AddressGuard, type Config } from '#platform';

/** Rules that depend on the configuration. */
export type WebhookRules = Pick<Config['network'], 'allowPrivateNetworks'>;

/** Longest address in its normal form, characters: each character beyond ASCII takes up to 12. */
const MAX_URL = 2_048;

/**
 * Returns the address of an endpoint in its normal form.
 * @throws FootnoteError `validation_failed`.
 */
export function webhookUrl(text: string, { allowPrivateNetworks }: WebhookRules): string {
  const refuse = (message: string) => validationFailed([{ field: 'url', message }]);
  if (!URL.canParse(text)) throw refuse('must be an absolute URL');
  const url = new URL(text);
  const isPlain = url.protocol === 'http:' && allowPrivateNetworks;
  if (url.protocol !== 'https:' && !isPlain) throw refuse('must begin with https://');
  if (url.username !== '' || url.password !== '') throw refuse('must not contain credentials');
  if (url.hash !== '') throw refuse('must not have a fragment');
  if (url.port !== '' && !allowPrivateNetworks) throw refuse('must use port 443');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const guard = new AddressGuard({ allowPrivateNetworks });
  const isLiteral = host.includes(':') || /^[\d.]+$/.test(host);
  if (isLiteral && !guard.allows(host)) throw refuse('must not be on a private network');
  const { length } = url.href;
  if (length > MAX_URL) {
    const most = MAX_URL.toLocaleString('en');
    throw refuse(`must have at most ${most} characters when percent-encoded (got ${length})`);
  }
  return url.href;
}

/**
 * Returns the event types of an endpoint, each once; null for all.
 * @throws FootnoteError `validation_failed` for a type that is unknown or never delivered.
 */
export function webhookTypes(types: readonly string[] | null): string[] | null {
  if (types === null) return null;
  if (!types.every((type) => eventDefinition(type) && !UNDELIVERED_TYPES.includes(type))) {
    const message = `must be event types other than ${UNDELIVERED_TYPES.join(' and ')}`;
    throw validationFailed([{ field: 'types', message }]);
  }
  return [...new Set(types)];
}
