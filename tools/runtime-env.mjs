// What the service's process is started with so that it stays small and quiet; `runtime-env.json`,
// repeated in the Dockerfile.
//
// NODE_OPTIONS: V8 otherwise lets the young generation of the main thread grow to more than 100 MB
// under load; and the client of Kafka computes timeouts that are negative where they are over, of
// which Node warns and which it takes as over. MALLOC_…: glibc otherwise raises by itself the size
// from which buffers get memory of their own, and keeps hundreds of MB of freed ones after an
// indexing run; and it gives every thread an arena of its own, each with free room that no other
// thread gets. Other C libraries ignore these three.
import { readFileSync } from 'node:fs';

const settings = JSON.parse(readFileSync(new URL('./runtime-env.json', import.meta.url), 'utf8'));

/** The environment for a process of ours: what the operator set wins. */
export const runtimeEnvironment = { ...settings, ...process.env };
