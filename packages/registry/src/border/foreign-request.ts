import { PalimpsestError, type SummarizeRequest } from '@palimpsest/core';
import { maskedJson } from '@palimpsest/core/authoring';
import { z } from 'zod';
import { maskedError } from './masked-error.ts';
import { structuralCopy } from './structural-copy.ts';

/** Schema of a foreign engine's summarizer request. Unknown fields are dropped. */
const summarizeRequest = z.object({
  prompt: z.string(),
  budgetTokens: z.number().nonnegative(),
  material: z.object({
    messages: z.array(z.looseObject({ role: z.string() })),
    carried: z.array(z.number().int().nonnegative()).optional(),
    previousSummary: z.string().nullable(),
    template: z.object({
      name: z.string(),
      sections: z.array(z.object({ heading: z.string(), ask: z.string(), empty: z.string() })),
    }),
    focusTopic: z.string().nullable(),
  }),
});

/**
 * Copies a foreign engine's summarizer request and masks secrets in its prompt and material with the host's redactor.
 * @throws {PalimpsestError} `PLAN_INVALID` when the request does not match the schema
 */
export function foreignRequest(request: unknown, redact: (text: string) => string): Omit<SummarizeRequest, 'signal'> {
  const parsed = summarizeRequest.safeParse(request);
  if (parsed.success)
    return maskedJson(structuralCopy(parsed.data), redact) as unknown as Omit<SummarizeRequest, 'signal'>;
  const { path, message } = parsed.error.issues[0]!;
  throw new PalimpsestError(
    'PLAN_INVALID',
    `Its summarizer request is malformed${path.length > 0 ? ` at ${path.map(String).join('.')}` : ''}: ${message}.`,
  );
}

/** A summarizer's error for a foreign engine: only name, message, status and code, with secrets masked. */
export function maskedFailure(error: unknown, redact: (text: string) => string): unknown {
  if (PalimpsestError.is(error)) return maskedError(error, redact);
  const { message, status, code, name } = Object(error) as Readonly<Record<string, unknown>>;
  const masked = new Error(typeof message === 'string' ? redact(message) : `it threw ${typeof error}`);
  if (typeof name === 'string') masked.name = redact(name);
  return Object.assign(masked, {
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof code === 'number' ? { code } : typeof code === 'string' ? { code: redact(code) } : {}),
  });
}
