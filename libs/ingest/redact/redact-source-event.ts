import type { DomainEvent } from '#contracts';

import { redactUrls, redactUrlsIn } from './redact-urls.js';

/**
 * Removes the secrets from the URLs of an event of a source or its jobs. Logs of earlier versions
 * may have some, which nobody may see.
 */
export function redactSourceEvent<Event extends DomainEvent>(event: Event): Event {
  return { ...event, data: redacted(event) };
}

function redacted(event: DomainEvent): DomainEvent['data'] {
  switch (event.type) {
    case 'SourceRegistered':
      return { ...event.data, definition: redactUrlsIn(event.data.definition) };
    case 'SourceUpdated': {
      const { definition } = event.data;
      return definition ? { ...event.data, definition: redactUrlsIn(definition) } : event.data;
    }
    case 'JobCompleted': {
      const { url } = event.data;
      return url === undefined ? event.data : { ...event.data, url: redactUrls(url) };
    }
    case 'JobFailed':
      return { ...event.data, error_message: redactUrls(event.data.error_message) };
    default:
      return event.data;
  }
}
