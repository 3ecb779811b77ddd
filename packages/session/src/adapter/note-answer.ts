import type { Usage } from '@palimpsest/core';
import type { PageSource } from '../conversation/page-source.ts';
import type { PreparedRequest } from '../conversation/prepared-request.ts';
import type { Session } from '../session.ts';

/**
 * Reports the answer to a request.
 * @param usage `null` if the provider reported none
 * @param source asks the model of the request for a page; `null` if it cannot be asked
 */
export function noteAnswer(
  session: Session,
  request: PreparedRequest,
  usage: Usage | null,
  source: PageSource | null,
): void {
  if (source) session.adapter.noteSource(request, usage, source);
  session.afterResponse(usage, request);
}
