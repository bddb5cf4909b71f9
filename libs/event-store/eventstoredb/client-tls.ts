import { isIP } from 'node:net';

import { credentials } from '@grpc/grpc-js';

/** What gRPC's credentials make for each connection, and its types hide. */
interface Connector {
  readonly connectionOptions?: { servername?: string };
}

interface Connecting {
  _createSecureConnector: (...how: readonly unknown[]) => Connector;
}

/**
 * Runs `make`, which makes a client of gRPC: its connections to an IP do not send that as the
 * server's name. RFC 6066 permits no such name: Node warns of it (DEP0123), and a server may refuse
 * it. The certificate is compared with the IP all the same, since the host stays as it is. The
 * client hands its credentials to nobody, so they are met where they are made.
 */
export function withoutIpServername<Client>(make: () => Client): Client {
  const { createSsl } = credentials;
  credentials.createSsl = (...files) => {
    const made = createSsl(...files);
    const connecting = made as unknown as Connecting;
    const connect = connecting._createSecureConnector.bind(made);
    connecting._createSecureConnector = (...how) => {
      const connector = connect(...how);
      const { connectionOptions } = connector;
      if (connectionOptions?.servername && isIP(connectionOptions.servername))
        delete connectionOptions.servername;
      return connector;
    };
    return made;
  };
  try {
    return make();
  } finally {
    credentials.createSsl = createSsl;
  }
}
