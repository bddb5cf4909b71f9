import { Socket } from 'node:net';

import { serveProcesses } from './serve-processes.js';

/**
 * The process that starts processes for the service (docs/adr/0012). It lives as long as the
 * service's end of the socket: no signal to the whole group ends it earlier.
 */
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
await serveProcesses(new Socket({ fd: 3, readable: true, writable: true }));
process.exit(0);
