import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/** Publishes `request-refused`, once for each refusal. A call that the caller cancelled is not a refusal. */
export function reportRefusal(
  { compactions: { turns }, events }: SessionParts,
  { class: name, action, status, limitTokens }: ProviderFailure,
): void {
  if (name === 'cancelled') return;
  const attempt = turns.attempts + 1;
  events.publish({ type: 'request-refused', class: name, action, status, limitTokens, attempt });
}
