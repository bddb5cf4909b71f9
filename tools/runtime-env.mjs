// The environment that keeps the service's process small and quiet; `runtime-env.json`, repeated in
// the Dockerfile.
//
// NODE_OPTIONS: V8 otherwise lets the young generation of the main thread grow to more than 100 MB
// under load. The Kafka client computes negative timeouts for past times; Node warns about them
// and treats them as past. MALLOC_…: glibc otherwise raises by itself the size from which buffers
// get their own memory, and keeps hundreds of MB of freed ones after indexing. At 32 KiB, the
// compiler's memory is among them; with 128 KiB, 47 MiB of it stayed in holes after 1,000
// searches. glibc also gives every thread its own arena, whose free memory no other thread gets.
// Other C libraries ignore these three.
import { readFileSync } from 'node:fs';

const settings = JSON.parse(readFileSync(new URL('./runtime-env.json', import.meta.url), 'utf8'));

/** The environment for the project's processes; the operator's settings take precedence. */
export const runtimeEnvironment = { ...settings, ...process.env };
