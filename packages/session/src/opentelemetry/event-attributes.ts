import type { Attributes } from '@opentelemetry/api';
import type { SessionEvent } from '../events/session-event.ts';

/** The fields of an event as attributes: texts, numbers and booleans as they are, anything deeper as JSON. */
export function attributesOf(event: SessionEvent): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(event)) {
    if (name === 'type' || name === 'at' || value === null || value === undefined) continue;
    const key = `palimpsest.${name}`;
    attributes[key] =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value);
  }
  return attributes;
}
