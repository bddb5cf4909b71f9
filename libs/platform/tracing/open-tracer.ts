import type { TracingSettings } from '../config/tracing-settings.js';
import { NO_TRACER } from './no-tracer.js';
import type { Tracer } from './tracer.port.js';

/** Returns the configured tracer. OpenTelemetry is loaded only with a collector. */
export async function openTracer(settings: TracingSettings | undefined): Promise<Tracer> {
  if (!settings) return NO_TRACER;
  const { OpenTelemetryTracer } = await import('./open-telemetry-tracer.js');
  return new OpenTelemetryTracer(settings);
}
