import { type NoteKey, parseVerifierKey } from '#audit';
import { type Config, ConfigError } from '#platform';

/** A witness that the operator configured. */
export interface ConfiguredWitness {
  readonly key: NoteKey;
  readonly url: string;
}

/**
 * Returns the witnesses of AUDIT_WITNESSES.
 * @throws ConfigError for an invalid key, and for two witnesses of one name.
 */
export function configuredWitnesses({
  witnesses,
}: Pick<Config['audit'], 'witnesses'>): readonly ConfiguredWitness[] {
  const configured = witnesses.map(({ key: text, url }) => {
    const key = parseVerifierKey(text);
    if (key?.type === 'cosignature') return { key, url };
    throw new ConfigError(
      `AUDIT_WITNESSES must have the keys that witnesses print (got ${JSON.stringify(text)})`,
    );
  });
  const names = new Set(configured.map(({ key }) => key.name));
  if (names.size < configured.length)
    throw new ConfigError('AUDIT_WITNESSES must have one entry per witness name');
  return configured;
}
