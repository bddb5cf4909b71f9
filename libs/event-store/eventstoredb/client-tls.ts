import { isIP } from 'node:net';

import { credentials } from '@grpc/grpc-js';

/** The connector that gRPC's credentials create per connection, which its types hide. */
interface Connector {
  readonly connectionOptions?: { servername?: string };
}

interface Connecting {
  _createSecureConnector: (...how: readonly unknown[]) => Connector;
}

/**
 * Runs `make`, which creates a gRPC client, so that its connections to an IP do not send the IP as
 * server name. RFC 6066 does not permit such a name: Node warns about it (DEP0123), and a server
 * may reject it. The certificate is still compared with the IP, since the host stays unchanged. The
 * client does not expose its credentials, so they are intercepted where they are created.
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
