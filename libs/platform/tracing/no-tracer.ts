import type { OpenSpan, Tracer } from './tracer.port.js';

const NO_SPAN: OpenSpan = {
  within: (work) => work(),
  set: () => undefined,
  end: () => undefined,
};

/** Records nothing. */
export const NO_TRACER: Tracer = {
  isEnabled: false,
  isInSpan: false,
  begin: () => NO_SPAN,
  span: (_name, _options, work) => work(),
  recordJob: () => undefined,
  close: () => Promise.resolve(),
};
