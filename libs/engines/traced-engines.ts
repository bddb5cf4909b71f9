import type { ChatModel } from '#models';
import type { SpanAttributes, Tracer } from '#platform';

import type { EngineName, EnginePorts } from './engines.types.js';

/** Methods of engines that become spans. All return promises. */
const TRACED = {
  eventStore: ['append'],
  readModel: ['ask', 'asOf', 'waitFor'],
  searchIndex: ['candidates', 'ranked', 'fileChunks', 'contents', 'document', 'outline', 'symbols'],
  blobs: ['get', 'put', 'readStart'],
  embedder: ['embedPassages', 'embedQuery'],
  sentenceEncoder: ['embedQuery'],
} as const satisfies {
  readonly [Name in EngineName]?: readonly (keyof NonNullable<EnginePorts[Name]>)[];
};

type TracedName = keyof typeof TRACED;

/** OpenTelemetry's names of the engines in spans. */
const SPAN_NAMES: Readonly<Record<TracedName, string>> = {
  eventStore: 'event_store',
  readModel: 'read_model',
  searchIndex: 'search_index',
  blobs: 'blob_store',
  embedder: 'embedder',
  sentenceEncoder: 'sentence_encoder',
};

type Method = (...parameters: readonly unknown[]) => Promise<unknown>;

/**
 * Returns engines whose calls are spans of the request or stage around them. Calls of background
 * loops have no span around them and are not recorded. Without a tracer the engines are unchanged.
 */
export function tracedEngines<Ports extends Partial<EnginePorts>>(
  ports: Ports,
  tracer: Tracer,
): Ports {
  if (!tracer.isEnabled) return ports;
  const traced: Partial<EnginePorts> = { ...ports };
  for (const name of Object.keys(TRACED) as TracedName[]) {
    const engine = ports[name];
    if (engine) Object.assign(traced, { [name]: tracedEngine(name, engine, tracer) });
  }
  if (ports.chatModel) Object.assign(traced, { chatModel: tracedChat(ports.chatModel, tracer) });
  return traced as Ports;
}

function tracedEngine(name: TracedName, engine: object, tracer: Tracer): object {
  const methods = new Map<unknown, Method>();
  for (const method of TRACED[name]) {
    const call = (Reflect.get(engine, method) as Method).bind(engine);
    const span = `${SPAN_NAMES[name]}.${method}`;
    methods.set(method, (...parameters) =>
      tracer.isInSpan
        ? tracer.span(span, { attributes: attributesOf(name, method, parameters) }, () =>
            call(...parameters),
          )
        : call(...parameters),
    );
  }
  return withMethods(engine, methods);
}

/** Answers are streams: their span lasts until the last part is read. */
function tracedChat(model: ChatModel, tracer: Tracer): ChatModel {
  const answer: ChatModel['answer'] = async function* (request, signal) {
    const span = tracer.begin('chat_model.answer', {
      kind: 'client',
      attributes: { 'gen_ai.request.model': model.id },
    });
    let failure: unknown;
    try {
      yield* model.answer(request, signal);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // Also when the reader leaves.
      span.end(failure);
    }
  };
  return withMethods(model, new Map([['answer', answer]]));
}

/** Returns an object with replaced methods; the others run on the original, private fields too. */
function withMethods<T extends object>(original: T, methods: ReadonlyMap<unknown, unknown>): T {
  return new Proxy(original, {
    get(target, key) {
      const replaced = methods.get(key);
      if (replaced) return replaced;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Attributes of calls; counts and names of the project only. */
function attributesOf(
  name: TracedName,
  method: string,
  [first, second]: readonly unknown[],
): SpanAttributes {
  if (name === 'eventStore' && typeof first === 'string' && Array.isArray(second)) {
    const [category = ''] = first.split('-');
    return { 'footnote.stream': category, 'footnote.events': second.length };
  }
  if (method === 'embedPassages' && Array.isArray(first)) return { 'footnote.texts': first.length };
  return {};
}
