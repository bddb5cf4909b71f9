import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { describeWhen } from '../support/describe-when.js';
import { EngineInstance } from '../support/engine-script.js';
import { tempDir } from '../support/temp-dir.js';
import {
  type Certificates,
  makeCertificates,
  withCertificates,
} from '../support/tls/certificates.js';
import { reachEngine } from '../support/tls/reach-engine.js';

describeWhen('KAFKA_BROKERS', 'Kafka over TLS', () => withCertificates(kafkaOverTls));

/** On a broker of its own (test/engines/kafka.sh), which asks for TLS and a user. */
function kafkaOverTls(): void {
  const folder = tempDir('footnote-kafka-tls-');
  let files: Certificates;
  let broker: EngineInstance;
  let variables: Readonly<Record<string, string>>;
  let secrets: RegExp;

  beforeAll(async () => {
    files = makeCertificates(folder.path);
    broker = await EngineInstance.at('kafka', `${folder.path}/broker`, folder.path);
    variables = { ...(await broker.start()), NODE_EXTRA_CA_CERTS: files.caFile };
    secrets = new RegExp(`${variables['KAFKA_PASSWORD']}|guessed`);
  }, 120_000);
  afterAll(async () => {
    await broker.stop();
    folder.remove();
  }, 60_000);

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])(
    'lets the user in who signs in by %s',
    async (mechanism) => {
      const given = { ...variables, KAFKA_SASL_MECHANISM: mechanism };
      expect((await reachEngine('queue', given)).outcome).toBe('reached');
      expect((await reachEngine('feed', given)).outcome).toBe('reached');
    },
  );

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])(
    'rejects a wrong password by %s, which ends the start and logs no secret',
    async (mechanism) => {
      const given = { ...variables, KAFKA_SASL_MECHANISM: mechanism, KAFKA_PASSWORD: 'guessed' };
      const { outcome, output } = await reachEngine('queue', given);
      expect(outcome).toMatch(/cannot be used: The brokers reject the credentials/);
      expect(output).not.toMatch(secrets);
    },
  );

  it('lets nobody in without TLS', async () => {
    const { outcome, output } = await reachEngine('queue', { ...variables, KAFKA_SSL: 'false' });
    expect(outcome).toMatch(/Kafka \(KAFKA_BROKERS\) is unavailable/);
    expect(output).not.toMatch(secrets);
  });

  it('is not trusted when another authority signed its certificate, which ends the start', async () => {
    const given = { ...variables, NODE_EXTRA_CA_CERTS: files.otherCaFile };
    const { outcome, output } = await reachEngine('queue', given);
    expect(outcome).toMatch(
      /cannot be used: The certificate of Kafka is not trusted .*NODE_EXTRA_CA_CERTS/,
    );
    expect(output).not.toMatch(secrets);
  });
}
