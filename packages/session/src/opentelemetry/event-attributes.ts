import type { Attributes } from '@opentelemetry/api';
import type { SessionEvent } from '../events/session-event.ts';

/** Converts the fields of an event to attributes: strings, numbers and booleans unchanged, other values as JSON. */
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
